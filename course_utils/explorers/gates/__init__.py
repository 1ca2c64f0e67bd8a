"""Walk through gates, latch a bit, preserve a gradient."""
