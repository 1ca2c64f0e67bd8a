"""Pictures of grammar in a network: answers by condition, units over words, what luck finds."""
