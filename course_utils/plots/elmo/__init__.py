"""Pictures of ELMo."""
