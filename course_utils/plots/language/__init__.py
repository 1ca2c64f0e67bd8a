"""Pictures of lecture 01."""
