"""Compare an answer with the reference, apart from the lecture, in the words of its author."""
