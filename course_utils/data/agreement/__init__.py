"""A small English in which the number of every noun and verb is known."""
