"""Resume a stopped run as if it had never stopped."""
