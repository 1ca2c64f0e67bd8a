"""What a stopped run needs to go on as if it had never stopped."""
