"""Three networks, one task, the same rules for all."""
