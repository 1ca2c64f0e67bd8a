"""Options of ELMo that Hypothesis draws: right ones come back, wrong ones are named."""

from __future__ import annotations

import copy
import json

import pytest
import torch
from hypothesis import strategies as st

from course_utils.models.elmo import BiLM, Options, count_parameters

small = st.integers(1, 9)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
OPTIONS = st.builds(
    Options,
    projection=small,
    cells=small,
    layers=st.integers(1, 4),
    filters=st.lists(st.tuples(st.integers(1, 7), small), min_size=1, max_size=4).map(tuple),
    char_dim=small,
    highways=st.integers(0, 3),
    activation=st.sampled_from(["relu", "tanh"]),
    residual=st.booleans(),
    cell_clip=st.none() | st.floats(1e-3, 1e3),
    proj_clip=st.none() | st.floats(1e-3, 1e3),
    max_characters=st.integers(7, 60),
)
PATHS = [
    "lstm.dim", "lstm.projection_dim", "lstm.n_layers", "lstm.cell_clip", "lstm.proj_clip",
    "lstm.use_skip_connections", "char_cnn.embedding.dim", "char_cnn.filters",
    "char_cnn.activation", "char_cnn.n_highway", "char_cnn.n_characters",
    "char_cnn.max_characters_per_token",
]  # fmt: skip


def test_options_come_back_from_their_file(drawing):
    """Catches: a field that the file does not hold, and one read from its neighbour's place."""

    @drawing(OPTIONS, cases=300)
    def _(options):
        assert Options.from_json(json.loads(json.dumps(options.to_json()))) == options


def test_a_model_has_the_parameters_that_its_options_promise(drawing):
    """Catches: a highway, a layer or a direction that is counted and not made, or twice."""

    @drawing(OPTIONS, st.lists(st.integers(1, 5), min_size=1, max_size=3), cases=40)
    def _(options, lengths):
        bilm = BiLM(options).eval()
        assert sum(p.numel() for p in bilm.parameters()) == count_parameters(options)
        layers = bilm([["ab"] * length for length in lengths]).layers
        shape = (options.layers + 1, len(lengths), max(lengths), 2 * options.projection)
        assert layers.shape == shape
        assert torch.isfinite(layers).all()


def test_one_wrong_value_is_refused_by_its_name(drawing):
    """Catches: a value of another kind that is let pass, or that ends in a TypeError."""

    @drawing(OPTIONS, st.sampled_from(PATHS), JSON, cases=600)
    def _(options, path, value):
        changed = copy.deepcopy(options.to_json())
        *groups, last = path.split(".")
        place = changed
        for group in groups:
            place = place[group]
        place[last] = value
        try:
            found = Options.from_json(changed)
        except ValueError as error:
            lines = str(error).splitlines()
            assert lines[0].endswith("do not describe an ELMo:")
            assert lines[1].startswith((f"- {path}: ", "- char_cnn.filters: a filter is wider"))
            assert len(lines) == 2, "one mistake, one line"
        else:
            assert Options.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_any_json_at_all_is_refused_in_words(drawing):
    """Catches: an AttributeError where a list or a number stands for the whole file."""

    @drawing(JSON | st.fixed_dictionaries({"lstm": JSON, "char_cnn": JSON}), cases=300)
    def _(found):
        with pytest.raises(ValueError, match="do not describe an ELMo"):
            Options.from_json(found)
