"""Everything that the networks read: generators, corpora, and the registry of larger sets."""
