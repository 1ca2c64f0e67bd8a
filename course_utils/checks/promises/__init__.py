"""What a lecture promises: claims, which could fail, and facts, which could not."""
