"""Pictures of lecture 02."""
