"""One module a lecture: the same names and signatures as the stubs in its notebook."""
