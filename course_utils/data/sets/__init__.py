"""The registry of larger sets: what there is, how it comes here, and how it is verified."""
