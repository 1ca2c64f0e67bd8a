"""The registry of larger data sets: what it offers, how sets are fetched and verified."""
