"""The results of races and experiments: their files, and a module of look-ups for each topic."""
