"""The commands: what they answer, and what they leave alone."""
