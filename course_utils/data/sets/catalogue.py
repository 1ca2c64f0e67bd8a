"""The sets in the registry: where they are, what they must contain, and whose they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from course_utils.data.sets import parsers
from course_utils.data.sets.digests import RemoteFile

GITHUB = "https://raw.githubusercontent.com"
EWT = f"{GITHUB}/UniversalDependencies/UD_English-EWT/r2.16"
COLORLESS = f"{GITHUB}/facebookresearch/colorlessgreenRNNs/dbffbf0f2ef86c50bac204d7a2292862e1c6036f"
NLTK = f"{GITHUB}/nltk/nltk_data/gh-pages/packages/corpora"
WIKITEXT = (
    f"{GITHUB}/pytorch/examples/77f55b912142e11fcfdf5b530231fb9c52f181e8"
    "/word_language_model/data/wikitext-2"
)
ELMO = "https://allennlp.s3.amazonaws.com/models/elmo"


@dataclass(frozen=True)
class Entry:
    """One set: its files, how to read them, and the licence they come under."""

    name: str
    about: str
    licence: str
    citation: str
    files: tuple[RemoteFile, ...]
    parse: Callable[[Path], object]
    archives: bool = False

    @property
    def size(self) -> int | None:
        """Return the bytes to download, None where not all are published."""
        sizes = [file.size for file in self.files if file.size is not None]
        return sum(sizes) if len(sizes) == len(self.files) else None

    @property
    def is_fetchable(self) -> bool:
        """Return whether a download of this set could be verified."""
        return all(file.is_known for file in self.files)

    @property
    def weakness(self) -> str:
        """Return which files are identified by less than a sha256, and by what; empty if none."""
        weak = [file for file in self.files if file.weakness]
        names = "every file" if len(weak) == len(self.files) else ", ".join(f.name for f in weak)
        return f"{names}: {weak[0].weakness}" if weak else ""


def _elmo(name: str, about: str, folder: str) -> Entry:
    files = tuple(
        RemoteFile(f"elmo_{folder}_{part}", f"{ELMO}/{folder}/elmo_{folder}_{part}")
        for part in ("options.json", "weights.hdf5")
    )
    return Entry(name, about, "Apache 2.0", "Peters et al. 2018", files, parsers.elmo_files)


ENTRIES = (
    Entry(
        "tiny_shakespeare",
        "40,000 lines of Shakespeare in one file",
        "public domain",
        "Karpathy 2015",
        (
            RemoteFile(
                "input.txt",
                f"{GITHUB}/karpathy/char-rnn/6f9487a6fe5b420b7ca9afb0d7c078e37c1d1b4e"
                "/data/tinyshakespeare/input.txt",
                1_115_394,
                "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",
            ),
        ),
        parsers.one_text,
    ),
    Entry(
        "wikitext2",
        "Wikipedia's good articles, 2.1M words in three parts",
        "CC BY-SA 3.0",
        "Merity et al. 2017",
        (
            RemoteFile(
                "train.txt",
                f"{WIKITEXT}/train.txt",
                git_blob="2d84b35af79e411d73ea7cae83c73964c6ac83b4",
            ),
            RemoteFile(
                "valid.txt",
                f"{WIKITEXT}/valid.txt",
                sha256="f0737ed31fc1329026e95cb8b98e19c2a182c39c240ab909dc31abf2f8af58e8",
            ),
            RemoteFile(
                "test.txt",
                f"{WIKITEXT}/test.txt",
                sha256="d790b833ef8cf03a90db7bf1271b7520b83c45ce07ba3c1a9699df81e239eca0",
            ),
        ),
        parsers.word_texts,
    ),
    Entry(
        "ud_english_ewt",
        "16,600 web sentences with parts of speech, features and trees",
        "CC BY-SA 4.0",
        "Silveira et al. 2014",
        (
            RemoteFile(
                "en_ewt-ud-train.conllu",
                f"{EWT}/en_ewt-ud-train.conllu",
                14_203_025,
                "3fb78e2b55482c8ee00caa653af436c88c9e5bc9a73ce26e4ae3ddc79d2b7e7b",
            ),
            RemoteFile(
                "en_ewt-ud-dev.conllu",
                f"{EWT}/en_ewt-ud-dev.conllu",
                1_805_545,
                "531a54ff90d6ab12201c5a50c3e78e6ddac4de69abc4bce5d275d3cd29efe2b6",
            ),
            RemoteFile(
                "en_ewt-ud-test.conllu",
                f"{EWT}/en_ewt-ud-test.conllu",
                1_804_515,
                "e266e515a0a7547657ed3d90d9ba46487d6bd251f27ad4269d4e8a427c8555cd",
            ),
        ),
        parsers.conllu_parts,
    ),
    Entry(
        "agreement_nonsense",
        "410 sentences, grammatical but mostly nonsensical, for number agreement",
        "CC BY-NC 4.0",
        "Gulordava et al. 2018",
        (
            RemoteFile(
                "generated.text",
                f"{COLORLESS}/data/agreement/English/generated.text",
                66_166,
                "c7bebc2985793abab89ce3f70cf9c931fa555db3f3956f78f0c3398101d9c56b",
            ),
            RemoteFile(
                "generated.gold",
                f"{COLORLESS}/data/agreement/English/generated.gold",
                78_859,
                "d9271bb3ac076909724227e87fbb8fc6136dc7d0aa4bd857bd5e4bd4a62272e5",
            ),
        ),
        parsers.agreement_nonsense,
    ),
    Entry(
        "agreement_wikipedia",
        "7,489 sentences of Wikipedia for number agreement, with their attractors counted",
        "CC BY-NC 4.0",
        "Linzen et al. 2016",
        (
            RemoteFile(
                "subj_agr_filtered.text",
                f"{COLORLESS}/data/linzen_testset/subj_agr_filtered.text",
                1_045_625,
                "618f7583d6cc3942b2127e5ffb61603e0fd8b031628d574b10b9bc2930452be4",
            ),
            RemoteFile(
                "subj_agr_filtered.gold",
                f"{COLORLESS}/data/linzen_testset/subj_agr_filtered.gold",
                108_320,
                "984be2eaf9f37812b1727ec165b2c9802fb71552684cc6a123daf96091118f5b",
            ),
            RemoteFile(
                "subj_agr_filtered.eval",
                f"{COLORLESS}/data/linzen_testset/subj_agr_filtered.eval",
                17_955,
                "c1d83149ce080c1c5db9d7ba8cbe3c11d6ca9618ce4cc8eb50c57e1934717903",
            ),
        ),
        parsers.agreement_wikipedia,
    ),
    Entry(
        "sentence_polarity",
        "10,662 sentences of film reviews, half of them favourable",
        "CC BY 4.0",
        "Pang & Lee 2005",
        (
            RemoteFile(
                "sentence_polarity.zip",
                f"{NLTK}/sentence_polarity.zip",
                490_256,
                "6e1ed4405b65c7eabf1d199a7f7c437091ac21da0ea7467b410a74062574566b",
            ),
        ),
        parsers.sentence_polarity,
        archives=True,
    ),
    Entry(
        "senseval",
        "15,225 uses of interest, line, serve and hard, each with its sense",
        "used with permission of the authors; see its README",
        "Leacock et al. 1998; Bruce & Wiebe 1994",
        (
            RemoteFile(
                "senseval.zip",
                f"{NLTK}/senseval.zip",
                2_151_350,
                "fbcb658b562969e47a19a45e04c452d874755d157db936d815ca391ca88bfdea",
            ),
        ),
        parsers.senseval,
        archives=True,
    ),
    _elmo("elmo_small", "ELMo with 13.6M parameters", "2x1024_128_2048cnn_1xhighway"),
    _elmo("elmo_medium", "ELMo with 28.0M parameters", "2x2048_256_2048cnn_1xhighway"),
    _elmo("elmo_original", "ELMo with 93.6M parameters", "2x4096_512_2048cnn_2xhighway"),
)


def entry(name: str) -> Entry:
    """Return the entry of that name."""
    for known in ENTRIES:
        if known.name == name:
            return known
    raise ValueError(f"no set is called {name!r}: there are {', '.join(e.name for e in ENTRIES)}")
