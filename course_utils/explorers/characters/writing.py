"""Let models write code at any temperature, cutting off unlikely characters or not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from course_utils.data.source_code import source_modules
from course_utils.data.vocabulary import words_of
from course_utils.explorers.characters.shared import network, typed_text, writer
from course_utils.explorers.machinery.controls import choice, slider, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models.language import LanguageModel, NGramLM
from course_utils.models.language.sampling import shaped, without
from course_utils.plots.characters.text import sign_of
from course_utils.plots.characters.writing import BARS, WritingDrawing, Written

LENGTH, MOST_PROMPT = 160, 300
CUTS = [("all", 0), ("10", 10), ("3", 3), ("1", 1)]  # None would mean that nothing is chosen
PROMPT = "def read_lines(path):\\n"
OFFERED = ("class Reader:\\n", "    return '")


def explore_writing(models: Mapping[str, LanguageModel] | None = None) -> Explorer:
    """Let the reader compare what models write from one beginning at one temperature."""
    models = dict(models or {"LSTM": network(), "5-gram": _counted()})
    return Explorer(
        "What do they write?",
        {
            "name": choice("model", list(models)),
            "prompt": text("beginning", PROMPT, "a piece of code, \\n begins a line", OFFERED),
            "temperature": slider("temperature", 0.0, 2.0, 0.7, 0.1),
            "top_k": choice("keep the likeliest", CUTS),
            "top_p": slider("probability kept (nucleus)", 0.1, 1.0, 1.0, 0.05),
            "seed": slider("draw number", 1, 20, 1, 1),
        },
        lambda name, **how: written(name, models[name], **how),
        WritingDrawing(),
        tabulate_writing,
    )


def written(
    name: str,
    model: LanguageModel,
    prompt: str,
    temperature: float,
    top_k: int,
    top_p: float,
    seed: int,
) -> Written:
    """Return what may come after a beginning, and one text drawn; a cut of 0 keeps everything."""
    words = words_of(model)
    typed = typed_text(prompt)
    begun = typed[-MOST_PROMPT:] or "\n"
    odd = sorted({sign_of(sign) for sign in begun if sign not in words})
    notes = [f"Unknown to the model: {' '.join(odd[:5])}."] if odd else []
    if len(typed) > MOST_PROMPT:
        notes.append(f"Only the last {MOST_PROMPT} characters of the beginning are read.")
    never = words.encode([words.unknown] if words.unknown else []).tolist()
    if model is network():
        state = writer().read([begun])
        own = without(writer().log_probs(state)[0], never)
        (text,) = writer().write(state, LENGTH, None, temperature, top_k or None, top_p, seed)
    else:
        own = without(model.next_log_probs(list(begun)), never)
        text = "".join(
            model.generate(list(begun), LENGTH, temperature, top_k=top_k or None, top_p=top_p,
                           seed=seed, never=never)
        )  # fmt: skip
    drawn = shaped(own.double(), temperature, top_k or None, top_p)
    top = own.topk(BARS)
    return Written(
        name,
        begun,
        words.decode(top.indices),
        top.values.exp().numpy(),
        drawn[top.indices].numpy(),
        int((drawn > 1e-9).sum()),
        text,
        " ".join(notes),
    )


def tabulate_writing(seen: Written) -> Table:
    """Return the likeliest characters with both probabilities."""
    rows = zip(map(sign_of, seen.characters), seen.plain, seen.reshaped, strict=True)
    return Table(("character", "the model's own", "drawn from"), list(rows))


@lru_cache(maxsize=1)
def _counted() -> NGramLM:
    text = "".join(module.text for module in source_modules("train")[:40])
    return NGramLM(network().vocabulary, 5).fit(list(text))
