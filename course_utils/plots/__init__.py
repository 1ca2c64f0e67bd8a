"""Arrays in, pictures and their words out: every picture of the course, drawn in one style."""
