"""Pictures of the GRU: its conventions, and a race of three networks."""
