"""Pictures of what ELMo gives."""
