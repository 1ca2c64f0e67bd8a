"""Who counts and how far: networks by hand, cheats, ramps, rounding, states that return."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
import torch

from course_utils.analysis.counting import (
    acceptance,
    by_hand,
    counters,
    limits,
    precision,
    roles,
    tables,
)
from course_utils.analysis.counting.one_cell import Setting, cell_along, longest_with
from course_utils.data.counting import (
    DYCK,
    NESTED,
    POWERS_OF_THREE,
    POWERS_OF_TWO,
    SHUFFLE,
    members,
    near_misses,
    reading,
)
from course_utils.models import GRU, LSTM, RecurrentLM
from course_utils.models.language.recognition import accepted_by, right_after_powers, right_along
from course_utils.models.steps import lstm_step


class Rule:
    """A model that allows what a function of (T, B) tokens says."""

    def __init__(self, allowed):
        self.allowed = allowed

    def __call__(self, tokens, state=None):
        return torch.where(self.allowed(tokens), 1.0, -1.0), None


def everything(tokens):
    return torch.ones(*tokens.shape, 3, dtype=torch.bool)


def capped(most):
    """Return a rule that counts a - b exactly, but no further than `most`."""

    def allowed(tokens):
        a, b = (tokens == 1).cumsum(0), (tokens == 2).cumsum(0)
        left = torch.minimum(a, torch.tensor(most)) - b
        end = (b > 0) & (left <= 0)
        return torch.stack([end, b == 0, (a > 0) & (left > 0)], dim=-1)

    return allowed


# ── acceptance ────────────────────────────────────────────────────────────────────────────────────


def test_yes_to_everything_is_no_recogniser():
    """Catches a search that asks for members only."""
    yes = Rule(everything)
    assert acceptance.accepts(yes, POWERS_OF_TWO, "aabb")
    assert acceptance.longest_accepted(yes, POWERS_OF_TWO, 50) == 0
    judged = acceptance.judge_near(yes, POWERS_OF_TWO, 7)
    assert (
        judged.let_through
        == len(judged.misses)
        == len(near_misses(POWERS_OF_TWO, "a" * 7 + "b" * 7))
    )


@pytest.mark.parametrize("most", [1, 15, 16, 17, 46, 47, 48, 100])
def test_the_search_ends_where_the_count_does(most):
    """Catches an n lost or won at the border of two blocks."""
    model = Rule(capped(most))
    assert acceptance.longest_accepted(model, POWERS_OF_TWO, 300) == most
    assert acceptance.furthest_accepted(model, POWERS_OF_TWO, 130) == min(most, 130)
    assert acceptance.longest_accepted(model, POWERS_OF_TWO, most) == most


def test_the_furthest_is_not_stopped_by_an_early_mistake():
    """Catches the two measures taken for one: an n = 1 that fails hides all others in the first."""

    def but_not_one(tokens):
        allowed = capped(20)(tokens)
        allowed[2, tokens[2] == 2] = False  # wrong after "ab"
        return allowed

    model = Rule(but_not_one)
    assert acceptance.longest_accepted(model, POWERS_OF_TWO, 50) == 0
    assert acceptance.furthest_accepted(model, POWERS_OF_TWO, 50) == 20
    assert acceptance.right_at(model, POWERS_OF_TWO, (1, 2, 20, 21)).tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("language", [POWERS_OF_TWO, POWERS_OF_THREE, DYCK, SHUFFLE])
def test_right_along_the_members_means_right_about_near_misses(language):
    """Catches the sentence the lecture counts by: right at every step, so every slip is refused."""
    model = by_hand.counting_lstm(language)
    for n in (1, 2, 6):
        assert acceptance.right_at(model, language, [n]).all()
        judged = acceptance.judge_near(model, language, n)
        assert judged.member
        assert judged.misses
        assert judged.let_through == 0


def test_a_story_tells_where_it_goes_wrong():
    """Catches places off by one, and a refusal taken for a mistake."""
    model = by_hand.counting_lstm(POWERS_OF_TWO)
    story = acceptance.read_story(model, POWERS_OF_TWO, "aabbb")
    assert (story.accepted, story.refused_after) == (False, 4)
    assert torch.equal(story.says[:5], story.truth[:5])
    assert story.states[:, 0].round().int().tolist() == [0, 1, 2, 1, 0, -1]
    assert acceptance.read_story(model, POWERS_OF_TWO, "aab").refused_after == 3  # the end
    good = acceptance.read_story(model, POWERS_OF_TWO, "aabb")
    assert (good.accepted, good.first_mistake) == (True, None)


def test_padding_is_not_judged():
    """Catches a short text refused for what stands after its end."""
    model = by_hand.counting_lstm(POWERS_OF_TWO)
    read = reading(POWERS_OF_TWO, ["ab", "a" * 9 + "b" * 9, "aab"])
    assert accepted_by(model, read).tolist() == [True, True, False]
    assert right_along(model, read).tolist() == [True] * 3


# ── by hand ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", [DYCK, SHUFFLE])
def test_counters_by_hand_follow_brackets(language):
    """Catches a counter that turns once only, and two kinds counted by one unit."""
    generator = torch.Generator().manual_seed(5)
    texts = [language.draw(60, generator) for _ in range(50)]
    read = reading(language, texts)
    model = by_hand.counting_lstm(language)
    assert right_along(model, read).all()
    cells = model.trace(read.tokens)[0].c
    for unit, pair in enumerate(language.pairs):
        depth = [texts[7][:t].count(pair[0]) - texts[7][:t].count(pair[1]) for t in range(61)]
        assert cells[:, 7, unit].round().int().tolist() == depth


def test_the_lstm_by_hand_is_torchs():
    """Catches weights that only our own layer reads as a counter."""
    model = by_hand.counting_lstm(POWERS_OF_TWO)
    theirs = torch.nn.LSTM(3, 2, dtype=torch.float64)
    theirs.load_state_dict(model.recurrent.state_dict())
    x = torch.eye(3, dtype=torch.float64)[[0, *[1] * 300, *[2] * 300]][:, None]
    _, (_, c) = theirs(x)
    assert c[0, 0, 0].item() == pytest.approx(0, abs=1e-12)
    _, (_, c) = theirs(x[:301])
    assert c[0, 0, 0].item() == pytest.approx(300, abs=1e-10)


def test_relu_counts_and_tanh_does_not():
    """Catches an Elman network by hand that does not use its ReLU."""
    model = by_hand.counting_elman()
    assert acceptance.longest_accepted(model, POWERS_OF_TWO, 200) == 200
    theirs = torch.nn.RNN(3, 2, nonlinearity="relu", dtype=torch.float64)
    theirs.load_state_dict(model.recurrent.state_dict())
    h, _ = theirs(torch.eye(3, dtype=torch.float64)[[0, 1, 1, 1, 2, 2, 0, 1]][:, None])
    assert h[:, 0, 0].tolist() == [0, 1, 2, 3, 2, 1, 0, 1]  # END starts anew


# ── counters ──────────────────────────────────────────────────────────────────────────────────────


def test_a_straight_line_is_numpys():
    """Catches R^2 of the wrong sign, and a slope per two steps."""
    y = torch.tensor([0.3, 1.1, 1.4, 2.6, 2.9]).double()
    slope, r_squared = counters.straight_line(y)
    assert slope == pytest.approx(np.polyfit(range(5), y.numpy(), 1)[0])
    assert r_squared == pytest.approx(np.corrcoef(range(5), y.numpy())[0, 1] ** 2)
    assert counters.straight_line(torch.ones(4).double()) == (0.0, 1.0)


def test_the_counter_is_found_among_cells_that_do_not_count():
    """Catches a search that takes the first cell, and ramps of another letter's run."""
    model = by_hand.counting_lstm(POWERS_OF_THREE)
    for up, down, unit in (("a", "b", 0), ("b", "c", 1)):
        found = counters.choose_counter(model, "abc", up, down, 10, 25, shuffles=5)
        assert (found.unit, found.side) == (unit, 1)
        assert found.score == pytest.approx(1)
    slopes = [(ramp.letter, round(ramp.slope, 6)) for ramp in counters.ramps(model, "abc", 20, 1)]
    assert slopes == [("a", 0), ("b", 1), ("c", -1)]
    turns = [round(ramp.turn, 6) for ramp in counters.ramps(model, "abc", 20, 0)]
    assert turns == [1, -1, 0]
    with pytest.raises(ValueError, match="three points"):
        counters.ramps(model, "abc", 8, 0)


def test_the_count_is_that_of_the_text():
    """Catches a count that is one letter late."""
    text = counters.counted("ab", "a", "b", 3)
    assert text.tokens.tolist() == [0, 1, 1, 1, 2, 2, 2]
    assert text.marks.tolist() == [0, 1, 2, 3, 2, 1, 0]
    assert text.counted.all()


# ── precision ─────────────────────────────────────────────────────────────────────────────────────


def round_to_bits(x: torch.Tensor, bits: int) -> torch.Tensor:
    """Return float64 numbers rounded to `bits` significant bits, ties to even, any exponent."""
    m, e = torch.frexp(x.double())  # x = m * 2^e, 0.5 <= |m| < 1
    return torch.ldexp(torch.round(torch.ldexp(m, torch.tensor(bits))), e - bits)


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32"])
def test_rounding_to_bits_is_what_pytorch_stores(name):
    """Catches a bit too many or too few, and ties away from even."""
    bits = precision.FORMATS[name]
    generator = torch.Generator().manual_seed(2)
    some = torch.randn(500, generator=generator, dtype=torch.float64) * 100
    ties = torch.arange(1, 200).double() * 2.0 ** (1 - bits) / 2 + 1
    for x in (some, -some, ties, torch.zeros(3).double()):
        found = round_to_bits(x, bits)
        torch.testing.assert_close(found, precision.round_to_format(x, name), rtol=0, atol=0)
        assert found.tolist() == [precision._rounded(v, bits) for v in x.tolist()]
    with pytest.raises(ValueError, match="no format is called 'int8'"):
        precision.round_to_format(some, "int8")


@pytest.mark.parametrize("bits", [2, 3, 5, 8, 11])
def test_the_predicted_n_is_the_last_that_is_counted(bits):
    """Catches 2^p - 1 and 2^p + 1, and a step that is no power of two taken for one."""
    last = precision.last_count(bits)
    for step in (1.0, 0.25):
        assert precision.count_up_and_down(last, step, bits).accepted
        stuck = precision.count_up_and_down(last + 1, step, bits)
        assert not stuck.accepted
        assert max(stuck.cell) == last * step


def test_the_count_in_half_precision_is_torchs_own():
    """Catches a simulation that differs from adding in the format itself."""
    for dtype, bits in ((torch.float16, 11), (torch.bfloat16, 8)):
        one, c = torch.tensor(0.7, dtype=dtype), torch.tensor(0.0, dtype=dtype)
        cell = [0.0]
        for sign in (1, -1):
            for _ in range(90):
                c = c + sign * one
                cell.append(c.item())
        assert cell == precision.count_up_and_down(90, 0.7, bits).cell


def test_a_network_breaks_where_its_format_does():
    """Catches a state that is rounded only at the end, or not at all."""
    model = by_hand.counting_lstm(POWERS_OF_TWO)
    right = precision.right_when_rounded(
        model, POWERS_OF_TWO, (15, 16, 17), lambda c: round_to_bits(c, 4)
    )
    assert right.tolist() == [True, True, False]
    relu = by_hand.counting_elman()
    right = precision.right_when_rounded(relu, POWERS_OF_TWO, (8, 9), lambda h: round_to_bits(h, 3))
    assert right.tolist() == [True, False]


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
def test_the_exponents_wall_is_where_it_is_predicted(name):
    """Catches a wall of the normal numbers, and a quarter that is not exact."""
    gru, rounding = by_hand.counting_gru(), partial(precision.round_to_format, name=name)
    n = precision.last_halving(name, by_hand.FIRST)
    right = precision.right_when_rounded(gru, POWERS_OF_TWO, (n, n + 1), rounding)
    assert right.tolist() == [True, False]


@pytest.mark.parametrize("name", precision.FORMATS)
def test_a_sum_stands_still_at_its_formats_wall(name):
    """Catches a hidden bit that is not counted, and a start that is past the wall."""
    lstm = by_hand.counting_lstm(POWERS_OF_TWO)
    assert precision.stands_still_at(lstm, 1, name) == 2 ** precision.FORMATS[name]


# ── cells and tables ──────────────────────────────────────────────────────────────────────────────


def test_every_cell_is_named_by_its_slopes():
    """Catches a sum of all letters that passes for a difference, and a cell that rests."""
    model = by_hand.counting_lstm(POWERS_OF_THREE)
    model.recurrent = by_hand.compiled({"a": (1, 0, 1), "b": (-1, 0, 1), "c": (0, 1, 1)})
    found = [role.counts for role in roles.roles_of(model, "abc", 20)]
    assert found == ["a against b", "c", "a and b and c"]


def test_a_silenced_cell_is_one_that_is_not_there():
    """Catches one network's silence in another's row, and a cell that is silenced once only."""
    model = by_hand.counting_lstm(POWERS_OF_TWO)
    assert roles.right_without(model, "ab", 7).tolist() == [False, False]


def test_powers_that_share_their_beginning_are_judged_as_members():
    """Catches the state of another n, and an end that is asked one letter early or late."""
    for language, cells in ((POWERS_OF_TWO, "ab"), (POWERS_OF_THREE, "abc")):
        torch.manual_seed(1)
        good, bad = by_hand.counting_lstm(language, 2.5), RecurrentLM(1 + len(cells), "gru", 4, 5)
        for model in (by_hand.counting_lstm(language), good, bad):
            right = right_after_powers(model, len(cells), 70)
            assert torch.equal(right, right_along(model, members(language, range(1, 71))))
    assert 0 < right_after_powers(good, 3, 70).sum() < 70


def test_two_counters_do_a_shuffle_and_no_nesting():
    """Catches a count below 0 that is forgiven, and an end that is not asked for."""
    shuffle = {"(": (1, 0), ")": (-1, 0), "[": (0, 1), "]": (0, -1)}
    assert tables.first_wrong(shuffle, SHUFFLE, 6) is None
    assert tables.first_wrong(shuffle, NESTED, 6) == "([)]"
    assert tables.first_wrong({"(": (1,), ")": (0,)}, DYCK, 4) == ")"
    assert tables.tables_that_judge(SHUFFLE, 2, 4) == (2, 3**8)  # the two counters exchanged
    assert tables.tables_that_judge(NESTED, 2, 4) == (0, 3**8)


def test_nested_brackets_close_in_reverse():
    """Catches a shuffle that passes for nesting, and a bracket that closes nothing."""
    for text, belongs in {"": 1, "([])": 1, "([)]": 0, "()[]": 1, "(": 0, ")": 0, "(]": 0}.items():
        assert NESTED.accepts(text) == bool(belongs), text
    assert NESTED.member(2) == "(([[]]))"
    assert NESTED.accepts(NESTED.member(3))


# ── limits ────────────────────────────────────────────────────────────────────────────────────────


def test_states_are_read_one_letter_after_the_other():
    """Catches a state that leaves out the cell."""
    lstm = by_hand.counting_lstm(POWERS_OF_TWO)
    assert limits.states_of(lstm, 1, 4)[:, 2].round().int().tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_states_are_the_layers(kind):
    """Catches a run that begins with another token than END."""
    model = RecurrentLM(3, "lstm" if kind is LSTM else "gru", width=4, hidden=5)
    states = limits.states_of(model, 2, 7)
    with torch.no_grad():
        h, _ = model.recurrent(model.embedding(torch.tensor([0, *[2] * 7])[:, None]))
    torch.testing.assert_close(states[:, :5], h[:, 0])


# ── one cell ──────────────────────────────────────────────────────────────────────────────────────


def test_one_cell_is_the_step_of_the_lecture():
    """Catches a closed form that is not the recurrence, f = 1 too."""
    for forget in (1.5, 6.0, 50.0):
        setting = Setting(forget, 0.5, 1.2, -0.7)
        state = torch.zeros(1, 1).double(), torch.zeros(1, 1).double()
        from_steps = [0.0]
        for going_in in (1.2, -0.7):
            weights = [torch.tensor([[0.5], [forget], [going_in], [0.0]], dtype=torch.float64)]
            weights += [torch.zeros(4, 1).double(), torch.zeros(4).double()]
            for _ in range(30):
                step = lstm_step(torch.ones(1, 1).double(), state, (*weights, None))
                state = step.h, step.c
                from_steps.append(step.c.item())
        np.testing.assert_allclose(cell_along(setting, 30), from_steps, atol=1e-10)


def test_how_far_one_cell_counts():
    """Catches a leak that is not seen, and a cell that goes one way and passes."""
    assert longest_with(Setting(40, 0, 20, -20), 500) == 500
    assert longest_with(Setting(40, 0, 20, 20), 500) == 0
    assert longest_with(Setting(40, 0, -20, 20), 500) == 0
    assert longest_with(Setting(40, 0, 0, -20), 500) == 0
    leaking = longest_with(Setting(7, 0, 20, -20), 500)
    assert 1 < leaking < 500
    unequal = longest_with(Setting(40, 40, 2.0, -1.9), 500)
    assert unequal == pytest.approx(0.5 / (1 - math.tanh(1.9) / math.tanh(2.0)), rel=0.1)
