"""Watch cells count, write texts, take bits away, set the gates of a counter."""
