"""What comes next: generation with temperature."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import torch
from torch import Tensor

from course_utils.data.english import english, token_stream
from course_utils.data.tokens import detokenize, tokenize
from course_utils.data.vocabulary import END, Vocabulary, words_of
from course_utils.explorers.language.twin import twin_of_generation
from course_utils.explorers.machinery.controls import choice, slider, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models.language import LanguageModel, NGramLM
from course_utils.models.language.sampling import without
from course_utils.plots.glyphs import readable
from course_utils.plots.language.next_words import SHOWN, NextWords, NextWordsDrawing

OFFERED = ("We must", "Tonight I ask", "")
WORDS_ON = 25
MOST_WORDS = 100  # of a prompt: anything earlier has left every model's memory


def explore_generation(models: Mapping[str, LanguageModel] | None = None) -> Explorer:
    """Let models continue a prompt at any temperature; without any, two that count do."""
    models = dict(models or _counting())
    controls = {
        "name": choice("model", list(models)),
        "prompt": text("prompt", "The Congress of the", "a few words", OFFERED),
        "temperature": slider("temperature", 0.0, 2.0, 0.8, 0.1),
        "seed": slider("draw number", 1, 20, 1, 1),
    }
    return Explorer(
        "What comes next?",
        controls,
        lambda name, prompt, temperature, seed: expect(models[name], prompt, temperature, seed),
        NextWordsDrawing(),
        tabulate_next_words,
        twin=twin_of_generation(models, controls, WORDS_ON, MOST_WORDS),
    )


def tabulate_next_words(found: NextWords) -> Table:
    """Return the likeliest words and both their shares."""
    rows = zip(map(readable, found.words), found.sharpened, found.plain, strict=True)
    return Table(("word", "at this temperature", "at temperature 1"), list(rows))


def expect(model: LanguageModel, prompt: str, temperature: float, seed: int) -> NextWords:
    """Return the reshaped distribution after a prompt, and up to 25 words drawn from the model.

    A model's symbol for unknown words is not a word: it is left out.
    """
    tokens = tokenize(prompt.strip())[-MOST_WORDS:] or [END]
    words = words_of(model)
    unknown = [token[:20] for token in tokens if token not in words]
    note = f"unknown to the model: {', '.join(unknown[:3])}" if unknown else ""
    never = words.encode([words.unknown] if words.unknown else []).tolist()
    plain = without(model.next_log_probs(tokens), never)
    # the same order at every temperature (at 0 all but one are equal); of equal ones the first
    top = plain.sort(descending=True, stable=True).indices[:SHOWN]
    shaped = sharpen(plain, temperature)[top]
    end = END if END in words else None
    drawn = model.generate(tokens, WORDS_ON, temperature, stop=end, seed=seed, never=never)
    ended = ["[end of the speech]"] if len(drawn) < WORDS_ON else []
    return NextWords(
        prompt.strip() or "the end of a speech",
        note,
        temperature,
        words.decode(top),
        shaped.numpy(),
        plain[top].exp().numpy(),
        " ".join([*detokenize(drawn).split(), *ended]),
    )


def sharpen(log_p: Tensor, temperature: float) -> Tensor:
    """Return p^(1/temperature), normalised; at 0 all goes to the likeliest."""
    if temperature == 0:
        return torch.zeros_like(log_p).index_fill_(0, log_p.argmax(), 1.0)
    return ((log_p - log_p.max()) / temperature).softmax(dim=0)  # the largest stays finite: 0


@lru_cache(maxsize=1)
def _counting() -> dict[str, LanguageModel]:
    stream = token_stream(english(1961, 1988).train)
    words = Vocabulary.of(stream, 4000)
    numbers = words.encode(stream)
    orders = {"trigram": 3, "bigram": 2}
    return {name: NGramLM(words, order).fit(numbers) for name, order in orders.items()}
