"""Pictures of gated cells."""
