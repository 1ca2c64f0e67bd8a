"""Pictures of gradients that vanish and explode."""
