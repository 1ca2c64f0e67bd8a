"""Who counts, with which cells, how far, and in how many bits."""
