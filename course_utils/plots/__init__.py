"""Arrays in, Axes out: every picture of the course, drawn in one style."""
