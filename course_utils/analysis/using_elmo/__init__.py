"""What ELMo gives to a task, and what its layers know."""

from course_utils.analysis.using_elmo.paper import SIX_TASKS
from course_utils.analysis.using_elmo.probes import probe_layers, speech_sentences
from course_utils.analysis.using_elmo.spaces import SenseSpace, speeches_index, window_vectors
from course_utils.analysis.using_elmo.views import gap_scores

__all__ = [
    "SIX_TASKS",
    "SenseSpace",
    "gap_scores",
    "probe_layers",
    "speech_sentences",
    "speeches_index",
    "window_vectors",
]
