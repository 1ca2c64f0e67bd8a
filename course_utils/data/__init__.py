"""Everything that the networks read: generators, corpora, and the registry of larger sets."""

from course_utils.data.sets.registry import add, fetch, load

__all__ = ["add", "fetch", "load"]
