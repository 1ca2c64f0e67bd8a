"""Ask a room: a small server of its own that phones reach, and that reaches nothing."""
