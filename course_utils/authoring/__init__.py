"""What keeps the lectures true: notebook rules, solved copies, claims, docs."""
