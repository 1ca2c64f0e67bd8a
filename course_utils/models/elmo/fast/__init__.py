"""ELMo's fast way: the same numbers from packed weights and less work."""
