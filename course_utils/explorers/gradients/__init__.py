"""See how far back gradients reach, and what training does when they do not."""
