"""What an options.json may say: the published one to the letter, every bound from both sides."""

from __future__ import annotations

import copy
import math
import sys

import pytest

from course_utils.models.elmo import BiLM
from course_utils.models.elmo.options import OFFICIAL, Options, count_parameters

PUBLISHED = {  # as it lies beside the weights of the original model (Peters et al. 2018)
    "lstm": {
        "use_skip_connections": True, "projection_dim": 512, "cell_clip": 3, "proj_clip": 3,
        "dim": 4096, "n_layers": 2,
    },
    "char_cnn": {
        "activation": "relu", "n_highway": 2, "embedding": {"dim": 16}, "n_characters": 262,
        "max_characters_per_token": 50,
        "filters": [[1, 32], [2, 32], [3, 64], [4, 128], [5, 256], [6, 512], [7, 1024]],
    },
}  # fmt: skip
SMALL = {
    "lstm": {
        "use_skip_connections": False, "projection_dim": 3, "cell_clip": None, "proj_clip": 0,
        "dim": 5,
    },
    "char_cnn": {
        "activation": "tanh", "embedding": {"dim": 2}, "max_characters_per_token": 7,
        "filters": [[1, 4], [7, 6]],
    },
}  # fmt: skip


def with_value(path: str, value: object) -> dict:
    """Return the small options with one value in another's place."""
    options = copy.deepcopy(SMALL)
    *parents, last = path.split(".")
    here = options
    for name in parents:
        here = here[name]
    here[last] = value
    return options


def test_the_official_sizes_are_the_published_ones():
    """Catches a size, a switch or a clip that is another than the published file's."""
    assert OFFICIAL.to_json() == PUBLISHED
    assert Options.from_json(PUBLISHED) == OFFICIAL
    assert count_parameters(OFFICIAL) == 93_600_848
    assert OFFICIAL.features == 2048


def test_what_is_not_said_is_as_the_original_code_has_it():
    """Catches a default that moved: files without these values would load as other models."""
    assert Options.from_json(SMALL) == Options(
        projection=3, cells=5, layers=1, filters=((1, 4), (7, 6)), char_dim=2, highways=0,
        activation="tanh", residual=False, cell_clip=None, proj_clip=None, max_characters=7,
    )  # fmt: skip
    plain = Options(projection=3, cells=5, layers=1, filters=((1, 4),))
    assert plain == Options(3, 5, 1, ((1, 4),), 16, 1, "relu", True, None, None, 50, True)
    assert Options.from_json(plain.to_json()) == plain


@pytest.mark.parametrize("path", ["lstm.projection_dim", "lstm.dim", "char_cnn.embedding.dim"])
def test_sizes_have_bounds(path):
    """Catches a bound that is off by one, and a size that is no number."""
    for value in (1, 2**20):
        Options.from_json(with_value(path, value))
    for value in (0, -1, 2**20 + 1, True, 2.0, "2", None):
        with pytest.raises(ValueError, match=rf"{path}: .*>= 1, at most 1048576"):
            Options.from_json(with_value(path, value))


@pytest.mark.parametrize(("path", "least"), [("lstm.n_layers", 1), ("char_cnn.n_highway", 0)])
def test_depths_have_bounds(path, least):
    """Catches a file that asks for a thousand layers by name, and the deepest that is refused."""
    for value in (least, 100):
        found = Options.from_json(with_value(path, value))
        assert value in (found.layers, found.highways)
    for value in (least - 1, 101, False, 1.0):
        with pytest.raises(ValueError, match=rf"{path}: .*>= {least}, at most 100"):
            Options.from_json(with_value(path, value))


def test_filters_have_bounds():
    """Catches a pair of three, an empty list, a count of none, a filter wider than a word."""

    def pairs(found):
        return Options.from_json(with_value("char_cnn.filters", found)).filters

    assert pairs([[1, 2**20]]) == ((1, 2**20),)
    assert pairs(((7, 1), (1, 1))) == ((7, 1), (1, 1))
    assert len(pairs([[1, 1]] * 100)) == 100
    wrong = [[], [[1, 1]] * 101, [[1]], [[1, 2, 3]], [[0, 1]], [[1, 0]], [[1, 2**20 + 1]],
             [[True, 1]], [[1, 1.0]], [1, 2], "ab", None, [[1, 1], []]]  # fmt: skip
    for found in wrong:
        with pytest.raises(ValueError, match=r"filters: .* a list of at most 100 pairs"):
            pairs(found)
    with pytest.raises(ValueError, match="a filter is wider than a token has slots"):
        pairs([[8, 1], [1, 1]])
    for value, refused in ((3, False), (2, True)):
        options = with_value("char_cnn.max_characters_per_token", value)
        options["char_cnn"]["filters"] = [[1, 1], [3, 1]]
        if refused:
            with pytest.raises(ValueError, match=r"per_token: 2, must be .*>= 3, at most 1048576"):
                Options.from_json(options)
        else:
            assert Options.from_json(options).max_characters == 3


@pytest.mark.parametrize("name", ["cell_clip", "proj_clip"])
def test_clips_have_bounds(name):
    """Catches a clip at 0, which would silence all, and one that is no number."""
    largest = sys.float_info.max
    for value, clip in ((None, None), (0, None), (0.0, None), (2, 2.0), (0.5, 0.5), (largest,) * 2):
        found = getattr(Options.from_json(with_value(f"lstm.{name}", value)), name)
        assert (found, type(found)) == (clip, type(clip))
    for value in (-1, math.nan, math.inf, 10**400, True, "3", [3]):
        with pytest.raises(ValueError, match=rf"lstm.{name}: .* a positive number or null"):
            Options.from_json(with_value(f"lstm.{name}", value))


def test_switches_and_names_are_what_they_are():
    """Catches 1 for true, another activation, and a table of another size."""
    assert Options.from_json(with_value("lstm.use_skip_connections", True)).residual is True
    for value in (1, None, "true"):
        with pytest.raises(ValueError, match=r"use_skip_connections: .* true or false"):
            Options.from_json(with_value("lstm.use_skip_connections", value))
    assert Options.from_json(with_value("char_cnn.activation", "relu")).activation == "relu"
    for value in ("gelu", None, ["relu"], "RELU"):
        with pytest.raises(ValueError, match=r"activation: .* one of relu, tanh"):
            Options.from_json(with_value("char_cnn.activation", value))
    for value in (None, 261, 262):
        Options.from_json(with_value("char_cnn.n_characters", value))
    for value in (260, 263, 0, "262"):
        with pytest.raises(ValueError, match=r"n_characters: .*, must be 262"):
            Options.from_json(with_value("char_cnn.n_characters", value))


def test_all_that_is_wrong_is_told_at_once_and_shortly():
    """Catches an error that names the first fault only, or shows a page of it."""
    for json in ({}, None, [], "options", {"lstm": 3, "char_cnn": None}):
        with pytest.raises(ValueError, match="do not describe an ELMo") as told:
            Options.from_json(json)
        assert str(told.value).count("\n- ") == 7
        assert str(told.value).count(": missing, must be") == 7
    for letters, shown in ((58, "'" + "x" * 58 + "'"), (59, "'" + "x" * 56 + "...")):
        with pytest.raises(ValueError, match="activation") as told:
            Options.from_json(with_value("char_cnn.activation", "x" * letters))
        assert f"activation: {shown}, must be" in str(told.value)


@pytest.mark.parametrize(
    "options",
    [
        Options(3, 5, 1, ((1, 4), (2, 7)), char_dim=2, highways=0),
        Options(3, 5, 2, ((1, 4), (3, 7)), char_dim=6, highways=2, max_characters=9),
        Options(5, 5, 3, ((2, 11),), char_dim=2, highways=1, projected=False),
        Options(5, 5, 3, ((2, 11),), char_dim=2, highways=1),
    ],
)
def test_parameters_are_counted_as_the_model_has_them(options):
    """Catches a bias that is counted twice, a highway that is forgotten, a missing direction."""
    model = BiLM(options, device="meta")
    assert count_parameters(options) == sum(p.numel() for p in model.parameters())
