"""What the lectures claim, and the false worlds in which each claim must break."""
