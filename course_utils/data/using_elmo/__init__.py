"""Words whose sense is known, because we chose it."""
