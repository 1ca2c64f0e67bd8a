"""The reader's own sentence through a language model: forward to the losses and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from course_utils.analysis.language.sentence import SentenceRun, run_sentence
from course_utils.data.tokens import tokenize
from course_utils.data.vocabulary import END, words_of
from course_utils.explorers.language.twin import twin_of_sentence
from course_utils.explorers.machinery.controls import choice, playable, slider, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models import RecurrentLM
from course_utils.plots.glyphs import readable
from course_utils.plots.language.sentence import MOST_STEPS, SentenceDrawing, UnrolledSentence
from course_utils.shipped import load_recurrent_lm

SENTENCE = "we must keep the peace of the world"
OFFERED = ("the state of the union is strong", "to the Senate and House of Representatives")
SHIPPED = {256: "english_lstm", 128: "word_lstm"}
FORCED, OWN = "your words (teacher forcing)", "its own likeliest words"


def explore_sentence(models: Mapping[str, RecurrentLM] | None = None) -> Explorer:
    """Walk a sentence through a model and back; without any, through two that are shipped."""
    given, run = models, lru_cache(1)(run_words)  # steps of one walk share it
    models = dict(models or _shipped())
    return Explorer(
        "A language model, unrolled",
        {
            "sentence": text("sentence", SENTENCE, "two words at least", OFFERED),
            "moment": playable(slider("walk", 0, 2 * MOST_STEPS, MOST_STEPS, 1)),
            "feed": choice("it reads", [FORCED, OWN]),
            "name": choice("model", list(models)),
        },
        lambda sentence, moment, feed, name: unrolled(
            models[name], sentence, moment, feed == OWN, run
        ),
        SentenceDrawing(),
        tabulate_sentence,
        twin=None if given else twin_of_sentence(SENTENCE, list(SHIPPED.values())),
    )


def _shipped() -> dict[str, RecurrentLM]:
    return {f"LSTM, {n} units": load_recurrent_lm(name) for n, name in SHIPPED.items()}


def run_words(model: RecurrentLM, tokens: tuple[str, ...], own_words: bool) -> SentenceRun:
    """Run a sentence through a model and back."""
    words = words_of(model)
    never = words.number.get(words.unknown) if words.unknown else None  # not a word to write
    return run_sentence(model, words.encode(tokens), own_words, never)


def unrolled(
    model: RecurrentLM,
    sentence: str,
    moment: int,
    own_words: bool,
    run_words: Callable[[RecurrentLM, tuple[str, ...], bool], SentenceRun] = run_words,
) -> UnrolledSentence:
    """Run a sentence and walk as far as `moment`; one that is too long is cut, with a note."""
    tokens = tokenize(sentence.strip())
    if len(tokens) < 2:  # the mark between two speeches stands before the first word
        tokens = [END, *tokens] if tokens else [END, *tokenize(SENTENCE)]
    goes_on = len(tokens) > MOST_STEPS + 1
    notes = [f"only the first {MOST_STEPS + 1} words"] if goes_on else []
    tokens = tokens[: MOST_STEPS + 1]
    words = words_of(model)
    unknown = [token for token in tokens if token not in words]
    if unknown:
        notes.append(f"unknown to the model: {', '.join(map(readable, unknown[:3]))}")
    run = run_words(model, tuple(tokens), own_words)
    return UnrolledSentence(
        read=[tokens[0], *(words.decode(run.read[1:]) if own_words else tokens[1:-1])],
        asked=tokens[1:],
        likeliest=[words.decode(row) for row in run.likeliest],
        p_likeliest=run.p_likeliest.numpy(),
        p_asked=run.p_asked.numpy(),
        loss=run.loss.numpy(),
        d_h=run.d_h.numpy(),
        d_x=run.d_x.numpy(),
        moment=min(moment, 2 * len(run.read)),
        own_words=own_words,
        note="; ".join(notes),
        goes_on=goes_on,
    )


def tabulate_sentence(sentence: UnrolledSentence) -> Table:
    """Return every step's words, loss and gradients."""
    headers = ("reads", "expects", "with", "next", "its p", "loss", "at the state", "at the word")
    rows = zip(
        map(readable, sentence.read),
        [readable(words[0]) for words in sentence.likeliest],
        sentence.p_likeliest[:, 0],
        map(readable, sentence.asked),
        *(sentence.p_asked, sentence.loss, sentence.d_h, sentence.d_x),
        strict=True,
    )
    return Table(headers, list(rows))
