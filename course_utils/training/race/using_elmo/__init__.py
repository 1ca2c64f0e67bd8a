"""What ELMo gives to tasks, and what its layers know: every number of lecture 10."""
