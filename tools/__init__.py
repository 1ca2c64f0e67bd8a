"""What maintainers run: rules for lectures, claims and their false worlds, solved copies, docs."""
