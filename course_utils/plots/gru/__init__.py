"""Pictures of lecture 04."""
