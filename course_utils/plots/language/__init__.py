"""Pictures of language models."""
