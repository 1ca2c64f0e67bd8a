"""Compare conventions of the GRU, and three networks in a race."""
