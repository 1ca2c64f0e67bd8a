"""A few lines of every set in its own format, written for the tests; nobody else's text."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path


def rows(*lines: str) -> str:
    """Return lines whose columns are parted by tabs instead of bars."""
    return "".join(line.replace("|", "\t") + "\n" for line in lines)


CONLLU = "\n".join(
    "\t".join(line.split()) if line[:1].isdigit() else line
    for line in (
        "# sent_id = 1",
        "# text = Don't cats' tails curl?",
        "1-2 Don't _ _ _ _ _ _ _ _",
        "1 Do do AUX VBP Mood=Ind|Tense=Pres 5 aux _ _",
        "2 n't not PART RB _ 5 advmod _ _",
        "3 cats cat NOUN NNS Number=Plur 4 nmod:poss _ _",
        "4 tails tail NOUN NNS Number=Plur 5 nsubj _ _",
        "5 curl curl VERB VB VerbForm=Inf 0 root _ _",
        "5.1 up up ADV RB _ _ _ _ _",
        "",
        "# text = Rain.",
        "1 Rain rain NOUN NN Number=Sing 0 root _ _",
        "",
        "",
    )
)
NONSENSE_TEXT = """the lamps that the fox near the gates sees glow <eos>
the pans that the mug near the roads sees glow <eos>
the shed which the oak shades leans today <eos>
"""
NONSENSE_GOLD = rows(
    "rel|x|y|8|z|-|glow|glows|7|1|-",
    "rel|x|y|8|z|-|glow|glows|7|1|-",
    "obj|x|y|6|z|-|leans|lean|5|1|-",
)
WIKIPEDIA_TEXT = """the key to the cabinets is lost here
two doors of the old barn are shut
a place wherein nothing grew
"""
WIKIPEDIA_GOLD = rows("5|Is|Are|1", "6|are|is|1", "2|wherein|wherein|0")
SENSES = """<instance id="hen:1">
<answer instance="hen:1" senseid="BIRD"/>
<context> <wf pos='"'>"</wf> <wf pos="DT">a</wf> <head> <wf pos="NN">hen</wf></head>
<wf pos="NN">r&d</wf> <wf pos="CC">&amp;</wf> <wf pos="JJR"><</wf> </context>
</instance>
<instance id="hen:2">
<answer instance="hen:2" senseid="PARTY"/>
<context> <head> <wf pos="NN">hen</wf></head> <wf pos="NN">night</wf> </context>
</instance>
"""


def texts(**files: str) -> Callable[[Path], None]:
    """Return what writes these files: `a__b` is called a.b."""

    def write(folder: Path) -> None:
        for name, text in files.items():
            (folder / name.replace("__", ".")).write_bytes(text.encode())

    return write


def _polarity(folder: Path) -> None:
    (folder / "sentence_polarity").mkdir()
    for ending, text in (("neg", "dull , dull\x85 na\xefve .\nnot for me\n"), ("pos", "a joy .\n")):
        path = folder / "sentence_polarity" / f"rt-polarity.{ending}"
        path.write_bytes(text.encode("latin-1"))


def _senseval(folder: Path) -> None:
    (folder / "senseval").mkdir()
    (folder / "senseval" / "hen.pos").write_bytes(SENSES.encode("latin-1"))


SMALL: dict[str, Callable[[Path], None]] = {
    "tiny_shakespeare": texts(input__txt="FOX:\nWho goes?\r\n\nHEN:\nNobody.\u2028No.\n"),
    "wikitext2": texts(
        train__txt=" \n = Hens = \n \n A hen <unk> lays\u2028eggs . \n",
        valid__txt=" = Foxes = \n A fox waits . \n",
        test__txt=" \n",
    ),
    "agreement_nonsense": texts(generated__text=NONSENSE_TEXT, generated__gold=NONSENSE_GOLD),
    "agreement_wikipedia": texts(
        subj_agr_filtered__text=WIKIPEDIA_TEXT,
        subj_agr_filtered__gold=WIKIPEDIA_GOLD,
        subj_agr_filtered__eval="",
    ),
    "ud_english_ewt": lambda folder: [
        (folder / f"en_ewt-ud-{part}.conllu").write_text(CONLLU, encoding="utf-8")
        for part in ("train", "dev", "test")
    ],
    "sentence_polarity": _polarity,
    "senseval": _senseval,
    **{
        f"elmo_{size}": texts(elmo_x_options__json="{}", elmo_x_weights__hdf5="stands for weights")
        for size in ("small", "medium", "original")
    },
}


def zipped(folder: Path, archive: Path) -> Path:
    """Pack a folder's files as the sets that come as archives do."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for path in sorted(folder.rglob("*")):
            out.write(path, path.relative_to(folder))
    return archive
