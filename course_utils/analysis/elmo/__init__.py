"""Look into ELMo's vectors."""
