"""Ask what single units respond to."""
