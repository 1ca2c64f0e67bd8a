"""A claim shows its number inside the band and stops the lecture outside."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from course_utils.checks import ClaimBroken, claim
from course_utils.checks.promises import claims


@pytest.fixture
def shown(monkeypatch):
    """Collect what would be displayed."""
    notes = []
    monkeypatch.setattr(claims, "display", notes.append)
    return notes


@pytest.mark.parametrize(
    ("value", "band", "words"),
    [
        (2, {"low": 1}, "✓ It is 2 long. (00.1; promised: at least 1; margin: 2 times)"),
        (2.5, {"high": 3}, "✓ It is 2.5 long. (00.1; promised: at most 3; margin: 0.5)"),
        (1e-12, {"high": 1e-10}, "It is 10⁻¹² long. (00.1; promised: at most 10⁻¹⁰; margin: 100 "),
        (93_600_848, {"low": 93_600_848, "high": 93_600_848}, "exactly 93,600,848; margin: exact"),
        (
            torch.tensor(0.5),
            {"low": 0.25, "high": 0.75},
            "is 0.5 long. (00.1; promised: between 0.25",
        ),
        (1.0, {"low": 1.0}, "at least 1; margin: 0)"),
    ],
)
def test_a_claim_that_holds_is_told(shown, value, band, words):
    """Catches a band that excludes its ends, and wording that does not fit the band."""
    claim("00.1", value, says="It is {} long.", **band)
    assert words in repr(shown[0])
    assert "It is <b>" in shown[0]._repr_html_()


@pytest.mark.parametrize(
    ("value", "band"),
    [
        (0.99, {"low": 1}),
        (3.01, {"high": 3}),
        (0, {"low": 1, "high": 2}),
        (3, {"low": 1, "high": 2}),
        (math.nan, {"low": 1}),
        (math.nan, {"high": 1}),
        (-math.inf, {"low": 1}),
        (math.inf, {"low": 1}),
        (torch.ones(()) / 0, {"low": 1}),
        (True, {"low": 2}),
    ],
)
def test_a_claim_that_does_not_hold_stops(shown, value, band):
    """Catches a broken claim that is passed over, and NaN or a division by zero that fits."""
    with pytest.raises(ClaimBroken, match=r"claim 00\.1: this is your result: measured"):
        claim("00.1", value, says="what", **band)
    assert not shown


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("left", "left: 0.126."),
        ("In {:1}.", "In 0.1."),
        ("Now {:%} of <i>it</i>.", "Now 13% of <i>it</i>."),
    ],
)
def test_a_number_stands_in_its_sentence(shown, says, words):
    """Catches a number that is written with all its digits, and old words that lose theirs."""
    claim("00.1", 0.12555, low=0, says=says)
    assert shown[0].sentence() == words
    assert "<i>" not in shown[0]._repr_html_()


@pytest.mark.parametrize("says", ["{a}", "{:.3f}", "{} and {}", "{"])
def test_a_sentence_without_one_place_for_its_number_is_refused(says):
    """Catches "0.1256 of {b}" on a page, and two places of which one stays empty."""
    with pytest.raises(ValueError, match=r"claim 00\.1 says .*no one place for its number"):
        claim("00.1", 0.5, low=0, says=says)


def test_a_broken_sentence_does_not_state_the_wrong_number(shown):
    """Catches "ELMo leads by at least −0.2", told as the lecture's own words."""
    with pytest.raises(ClaimBroken, match=r"measured −0\.2, .* at least 0 \(It leads by …\.\)"):
        claim("00.1", -0.2, low=0, says="It leads by {}.")


def test_quiet_claims_of_a_cell_share_a_fold(monkeypatch):
    """Catches a page with a line for every step on the way, and a quiet claim that cannot break."""
    shell = InteractiveShell()
    monkeypatch.setattr(claims, "get_ipython", lambda: shell)
    told: list[str] = []

    class Place:
        update = staticmethod(lambda said: told.__setitem__(-1, said._repr_html_()))

    def display(said, display_id):
        told.append(said._repr_html_())
        return Place()

    monkeypatch.setattr(claims, "display", display)
    for number in ("00.1", "00.2"):
        claim(number, 4, low=1, says="It is {} < 5.", quiet=True)
    shell.execution_count += 1
    claim("00.3", 4, low=1, says="It is {}.", quiet=True)
    both, last = told
    assert "2 more numbers were checked" in both
    assert both.count("It is <b>4</b> &lt; 5.") == 2
    assert "One more number was checked" in last
    with pytest.raises(ClaimBroken):
        claim("00.4", 0, low=1, says="It is {}.", quiet=True)


def test_cells_that_no_history_counts_have_folds_of_their_own(monkeypatch):
    """Catches all quiet claims of a lecture in its first fold, where nbval runs it for the site."""
    shell, asked = InteractiveShell(), {"header": {"msg_id": "one"}}
    shell.kernel = SimpleNamespace(get_parent=lambda: asked)
    monkeypatch.setattr(claims, "get_ipython", lambda: shell)
    shown: list[str] = []

    def display(said, display_id):
        shown.append(str(said))
        return SimpleNamespace(update=lambda said: shown.__setitem__(-1, str(said)))

    monkeypatch.setattr(claims, "display", display)
    monkeypatch.setattr(claims, "fold", claims.Fold())
    claim("00.1", 4, low=1, says="It is {}.", quiet=True)
    asked["header"] = {"msg_id": "two"}
    claim("00.2", 4, low=1, says="It is {}.", quiet=True)
    assert [text.count("(00.") for text in shown] == [1, 1]
    assert "00.1" not in shown[1]


def test_a_number_just_outside_is_not_rounded_into_the_band(shown):
    """Catches "measured 1, promised at least 1"."""
    with pytest.raises(
        ClaimBroken, match=r"measured 0\.99996, the lecture promises at least 1\. If"
    ):
        claim("00.1", 0.99996, low=1)


def test_a_claim_without_a_band_is_refused():
    """Catches a claim that nothing could break."""
    with pytest.raises(ValueError, match="no band"):
        claim("00.1", 3)


@pytest.mark.parametrize(
    "band", [(2, 1), (None, math.inf), (-math.inf, None), (math.nan, 1), (0, math.nan)]
)
def test_a_band_that_nothing_or_everything_fits_is_refused(band):
    """Catches ends the wrong way round, and a band without an end, which no number leaves."""
    with pytest.raises(ValueError, match="finite ends, low before high"):
        claim("00.1", 1.5, *band)


@pytest.mark.parametrize("value", [torch.zeros(3), None, "many", 1j])
def test_a_claim_measures_one_number(value):
    """Catches a forgotten mean that is told in PyTorch's words."""
    with pytest.raises(TypeError, match=r"claim 00\.1 needs one real number.*take its mean"):
        claim("00.1", value, low=1)


@pytest.mark.parametrize("number", ["1", "0.1", "00.", "00.1a", "lecture", 0.1, None])
def test_a_claim_has_a_number(number):
    """Catches a claim that no crosswalk could point to."""
    with pytest.raises(ValueError, match=r"numbered like '03\.4'"):
        claim(number, 3, low=1)


def test_words_of_a_claim_are_escaped(shown):
    """Catches markup that comes in with a measured name."""
    claim("00.1", 1, low=0, says="<b>x</b>")
    assert "<b>x</b>" not in shown[0]._repr_html_()


def test_a_number_that_is_looked_up_says_so(shown):
    """Catches a number out of a shipped file that passes for measured."""
    claim("00.1", 3, low=1, says="It is {}.", looked_up="race.json")
    assert "margin: 3 times, looked up in race.json)" in repr(shown[0])
    assert "<summary>00.1, looked up</summary>" in shown[0]._repr_html_()
    with pytest.raises(ClaimBroken, match=r"this is your result: race\.json says 0,"):
        claim("00.1", 0, low=1, looked_up="race.json")
