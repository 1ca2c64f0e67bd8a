"""Pictures of lecture 08."""
