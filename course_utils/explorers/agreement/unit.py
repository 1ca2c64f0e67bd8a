"""One sentence, one unit: its gates and its cell over the words, beside the counterpart's."""

from __future__ import annotations

from typing import Any

from course_utils.analysis.agreement.questions import ask
from course_utils.analysis.agreement.story import read_items
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.agreement.lexicon import PLURAL
from course_utils.data.vocabulary import words_of
from course_utils.explorers.agreement.shared import (
    NUMBER_UNIT,
    OTHER_FORM,
    Pair,
    chosen_item,
    chosen_pair,
    network,
    sentence_controls,
)
from course_utils.explorers.agreement.twin import twin_of_unit
from course_utils.explorers.machinery.controls import playable, slider, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models import RecurrentLM
from course_utils.models.steps import LSTMStep
from course_utils.plots.agreement.sentence import MOST_WORDS, UnitStory, UnitStoryDrawing
from course_utils.plots.glyphs import readable

OFFERED = ("the dogs near the tree", "the tree near the dogs")

LONGEST = 11  # words before the verb, of the sentences that are offered


def explore_number_unit(unit: int = NUMBER_UNIT) -> Explorer:
    """Watch one unit of the trained LSTM while a sentence is read."""
    model = network("lstm")
    units = model.recurrent.hidden_size
    controls = {
        **sentence_controls(),
        "own": text("or your own beginning", "", "the dogs near the tree (Enter)", OFFERED),
        "unit": slider("unit", 0, units - 1, unit, 1),
        "word": playable(slider("step through the words", 1, LONGEST, 1, 1)),
    }
    return Explorer(
        "One unit, one sentence in both numbers",
        controls,
        lambda unit, own, word, **where: story_of(model, *pair_of(model, own, where), unit, word),
        UnitStoryDrawing(),
        tabulate_story,
        twin=twin_of_unit(controls, chosen_item, OTHER_FORM),
    )


def pair_of(model: RecurrentLM, own: str, where: dict[str, Any]) -> tuple[Pair, str]:
    """Return the reader's own sentence and its counterpart, or the chosen ones, with a note."""
    words = own.split()
    if not words:
        return chosen_pair(**where), ""
    notes = [f"Only the first {MOST_WORDS} words are read."] if len(words) > MOST_WORDS else []
    words = words[:MOST_WORDS]
    unknown = [word for word in words if word not in words_of(model)]
    if unknown:
        notes.append(f"Not in this small English: {', '.join(map(readable, unknown[:5]))}.")
    nouns = [place for place, word in enumerate(words) if word in OTHER_FORM]
    cue, other = 0, list(words)
    if nouns:
        cue = nouns[0]
        other[cue] = OTHER_FORM[words[cue]]
    else:
        notes.append("Without a noun that the model knows, the sentence has no counterpart.")
    items = [
        AgreementItem([*each, "admires"], len(words), "admires", "admire", cue)
        for each in (words, other)
    ]
    return Pair(*items), " ".join(notes)


def story_of(
    model: RecurrentLM, pair: Pair, note: str, unit: int, word: int = MOST_WORDS
) -> UnitStory:
    """Read a sentence and its counterpart; return what one unit does, up to the last word."""
    steps = read_items(model, pair)
    own, other = (
        {name: getattr(steps, name)[:, row, unit].numpy() for name in "ifoch"} for row in (0, 1)
    )
    words, others = (item.words[: item.position] for item in pair)
    assert isinstance(steps, LSTMStep)
    last = steps.c[-1]
    gaps = (last[0] - last[1]).abs().numpy()
    at = min(word, len(words)) - 1
    return UnitStory(unit, words, others, own, other, plural_margins(model, pair), gaps, at, note)


def plural_margins(model: RecurrentLM, pair: Pair) -> tuple[float, float]:
    """Return log p(plural form) - log p(singular form) of both sentences."""
    singular, plural = pair.own.right, pair.own.wrong
    if pair.own.condition[:1] == PLURAL:
        singular, plural = plural, singular
    asked = [item._replace(right=plural, wrong=singular) for item in pair]
    first, second = ask(model, asked).margins.tolist()
    return first, second


def tabulate_story(story: UnitStory) -> Table:
    """Return every gate and state at every word, and the counterpart's cell."""
    names = ("i", "f", "o", "c", "h")
    columns = [story.values[name] for name in names]
    rows = zip(story.words, *columns, story.other, story.other_values["c"], strict=True)
    return Table(("word", *names, "counterpart", "its c"), list(rows))
