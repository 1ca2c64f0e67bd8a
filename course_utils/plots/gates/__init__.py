"""Pictures of lecture 03."""
