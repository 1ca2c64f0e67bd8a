"""Text coloured by a unit, what closes what, and what a search found."""
