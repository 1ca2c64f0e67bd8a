"""Two sentences that differ only in the word that decides: does a tagger tell them apart?"""

from __future__ import annotations

from collections.abc import Sequence

from course_utils.analysis.tagging.deciding import coder_of
from course_utils.data.tagging.examples import Example
from course_utils.models.quiet import quiet
from course_utils.models.tagging import Tagger

WITH, WITHOUT = "PART", "VERB"  # what "sailed" is with the word that decides, and without it


def told_apart(network: Tagger, examples: Sequence[Example], cue: int) -> float:
    """Return how often a participle is found and becomes a verb once the word at `cue` is left out.

    Cue 0 is *has* at the beginning, -1 the verb at the end. Participles with an object are not
    asked for: the object alone shows what they are.
    """
    asked = [e for e in examples if WITH in e.labels and not _has_object(e)]
    if not asked:
        raise ValueError(f"no sentence has a {WITH} without an object")
    places = [example.labels.index(WITH) for example in asked]
    cues = [cue % len(example.words) for example in asked]
    fewer = [e.words[:at] + e.words[at + 1 :] for e, at in zip(asked, cues, strict=True)]
    before = [place - (at < place) for place, at in zip(places, cues, strict=True)]
    whole = _labels_at(network, [example.words for example in asked], places)
    left = _labels_at(network, fewer, before)
    apart = [pair == (WITH, WITHOUT) for pair in zip(whole, left, strict=True)]
    return sum(apart) / len(apart)


def _has_object(example: Example) -> bool:
    after = example.labels[example.labels.index(WITH) + 1 :]
    return bool(after) and after[0] in ("DET", "PRON")


def _labels_at(network: Tagger, sentences: list[list[str]], places: list[int]) -> list[str]:
    coder = coder_of(network)
    with quiet(network):
        found = network(coder.batch(sentences)).argmax(dim=-1).tolist()
    return [coder.labels[row[place]] for row, place in zip(found, places, strict=True)]
