"""Read each set of the registry into plain Python, as its authors meant it."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import NamedTuple

from course_utils.data.agreement.item import AgreementItem

Sentence = list[str]


class TaggedWord(NamedTuple):
    """A syntactic word of Universal Dependencies; `head` counts from 1, and 0 is the root."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: dict[str, str]
    head: int
    deprel: str


class SenseUse(NamedTuple):
    """A word in use: the words, their tags, where the word stands, and its sense."""

    words: Sentence
    tags: list[str]
    position: int
    sense: str


def one_text(folder: Path) -> str:
    """Return the only text of the set."""
    (path,) = folder.glob("*.txt")
    return path.read_text(encoding="utf-8")


def word_texts(folder: Path) -> dict[str, list[Sentence]]:
    """Return the lines of every part as words; empty lines carry nothing and are left out."""
    return {
        path.stem: [words for line in _lines(path) if (words := line.split())]
        for path in sorted(folder.glob("*.txt"))
    }


def conllu_parts(folder: Path) -> dict[str, list[list[TaggedWord]]]:
    """Return train, dev and test: sentences of words, without the contracted and empty ones."""
    parts = {}
    for path in sorted(folder.glob("*.conllu")):
        parts[path.stem.rsplit("-", 1)[-1]] = conllu_sentences(path)
    return parts


def conllu_sentences(path: Path) -> list[list[TaggedWord]]:
    """Read one CoNLL-U file."""
    from conllu import parse_incr

    with path.open(encoding="utf-8") as lines:
        return [
            [
                TaggedWord(
                    token["form"],
                    token["lemma"],
                    token["upos"],
                    token["xpos"],
                    token["feats"] or {},
                    token["head"],
                    token["deprel"],
                )
                for token in sentence
                if isinstance(token["id"], int)  # others are ranges (don't) and empty nodes
            ]
            for sentence in parse_incr(lines)
        ]


def agreement_nonsense(folder: Path) -> list[AgreementItem]:
    """Return the sentences of Gulordava et al.: 41 real ones, and 9 nonsense versions of each."""
    items = []
    golds = _lines(folder / "generated.gold")
    for words, gold in zip(_texts(folder / "generated.text"), golds, strict=True):
        construction, _, _, place, _, _, right, wrong, _, cue, *_ = gold.split("\t")
        items.append(AgreementItem(words, int(place), right, wrong, int(cue), None, construction))
    return items


def agreement_wikipedia(folder: Path) -> list[AgreementItem]:
    """Return the sentences of Linzen et al. as Gulordava et al. filtered them, all lower case.

    Four of the 7,489 offer one form twice (`wherein` or `wherein`) and are left out.
    """
    items = []
    golds = _lines(folder / "subj_agr_filtered.gold")
    for words, gold in zip(_texts(folder / "subj_agr_filtered.text"), golds, strict=True):
        place, right, wrong, attractors = gold.lower().split("\t")  # four are "Is" and "Are"
        if right != wrong:
            items.append(AgreementItem(words, int(place), right, wrong, None, int(attractors)))
    return items


def sentence_polarity(folder: Path) -> list[tuple[Sentence, bool]]:
    """Return the sentences, each with whether its review was favourable."""
    return [
        (line.split(), favourable)
        for ending, favourable in (("neg", False), ("pos", True))
        for line in _lines(folder / "sentence_polarity" / f"rt-polarity.{ending}", "latin-1")
    ]


def senseval(folder: Path) -> dict[str, list[SenseUse]]:
    """Return the uses of each of the four words."""
    return {
        path.stem: senseval_uses(path.read_text(encoding="latin-1"))
        for path in sorted((folder / "senseval").glob("*.pos"))
    }


INSTANCE = re.compile(r'<answer instance="[^"]*" senseid="([^"]*)"/>(.*?)</context>', re.DOTALL)
PIECE = re.compile(r"""<(head)>|<wf pos=(?:"([^"]*)"|'([^']*)')>(.*?)</wf>""", re.DOTALL)


def senseval_uses(text: str) -> list[SenseUse]:
    """Read one file: it looks like XML, but holds bare < and & and quotes of both kinds."""
    uses = []
    for sense, context in INSTANCE.findall(text):
        words: list[str] = []
        tags: list[str] = []
        position = -1
        for head, tag, other_tag, word in PIECE.findall(context):
            if head:
                position = len(words)
            else:
                words.append(unescape(word).strip())
                tags.append(unescape(tag or other_tag))
        uses.append(SenseUse(words, tags, position, sense))
    return uses


def elmo_files(folder: Path) -> tuple[Path, Path]:
    """Return the paths of the options and the weights."""
    (options,), (weights,) = folder.glob("*_options.json"), folder.glob("*_weights.hdf5")
    return options, weights


def _lines(path: Path, encoding: str = "utf-8") -> list[str]:
    """Return the lines; only a line feed ends one, whatever else Unicode calls a line's end."""
    return path.read_text(encoding=encoding).removesuffix("\n").split("\n")


def _texts(path: Path) -> list[Sentence]:
    return [line.split() for line in _lines(path)]
