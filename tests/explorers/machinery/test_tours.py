"""A tour holds the pictures that the explorer draws, each where its controls stand."""

from __future__ import annotations

import base64
import gzip
import json

from course_utils.explorers import explore_echo, explore_lstm_walk, explore_made_of, explore_reading
from course_utils.explorers.machinery import tours
from course_utils.explorers.machinery.controls import slider, switch, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.explorers.machinery.tours import STOPS, WANTED, stops_of, tour_of, wanted_here
from course_utils.explorers.start import echo_of_a_pulse
from course_utils.plots.start import Echo, EchoDrawing


def unpacked(tour: dict) -> dict:
    return json.loads(gzip.decompress(base64.b64decode(tour["packed"])))


def drawn(tour: dict, number: int) -> tuple[list[str], str]:
    """Return the parts and the words of one picture of a tour."""
    whole = unpacked(tour)
    state = whole["states"][number]
    return [whole["parts"][part] for part in state["parts"]], state["words"]


def shown(explorer: Explorer) -> tuple[list[str], str]:
    return [*explorer.image.now.parts.values()], explorer.words_now


def test_few_combinations_are_all_there():
    """Catches a grid in another order than the page counts in, and a combination left out."""
    explorer = explore_made_of()
    tour = tour_of(explorer)
    asked, steps = tour["stops"]
    assert (tour["kind"], len(tour["at"])) == ("grid", len(asked) * len(steps))
    values = [value for _, value in stops_of(explorer.controls["asked"], None)]
    for place, value in enumerate(values):
        explorer.move({"asked": value, "steps": 50})
        assert drawn(tour, tour["at"][place * len(steps) + 2]) == shown(explorer)
    explorer.close()


def test_one_control_moves_at_a_time():
    """Catches a picture at another place of the slider, and one with two controls moved."""
    explorer = explore_echo()
    explorer.twin = None  # so that a tour is walked
    tour = tour_of(explorer)
    assert explorer.values == explorer.start_values, "a tour ends where it began"
    (reading,) = tour["readings"]
    offered = [stops_of(control, STOPS) for control in explorer.controls.values()]
    for place, name in enumerate(explorer.controls):
        labels, values = zip(*offered[place], strict=True)
        assert reading["stops"][place] == list(labels)
        assert values[reading["start"][place]] == explorer.start_values[name]
        for stop in (0, reading["start"][place], len(values) - 1):
            explorer.move({**explorer.start_values, name: values[stop]})
            assert drawn(tour, reading["at"][place][stop]) == shown(explorer)
    explorer.close()


def test_a_text_opens_a_reading_of_its_own():
    """Catches an offered text whose reader is moved, and finds the first text's picture."""
    explorer = explore_reading()
    explorer.twin = None  # which would need no tour
    tour = tour_of(explorer)
    first, places = tour["readings"][0], list(explorer.controls)
    offered = stops_of(explorer.controls["text"], None)
    opened = first["opens"][places.index("text")]
    assert len(offered) > 3
    assert opened[0] is None
    reader, readers = places.index("reader"), stops_of(explorer.controls["reader"], None)
    for stop, (_, typed) in enumerate(offered[1:3], 1):
        reading = tour["readings"][opened[stop]]
        explorer.move({"text": typed, "reader": readers[2][1]})
        assert drawn(tour, reading["at"][reader][2]) == shown(explorer)
    explorer.close()


def test_what_moves_other_controls_opens_a_reading(monkeypatch):
    """Catches the steps of one sentence offered for another."""
    monkeypatch.setattr(tours, "MOST_STATES", 0)
    explorer = small_walk()
    tour = tour_of(explorer)
    assert tour["readings"][0]["opens"] == [[None, 1], [None, None, None]]
    assert len(tour["readings"][1]["stops"][1]) == 3
    explorer.close()


def small_walk() -> Explorer:
    """Return an explorer whose switch moves its slider."""
    controls = {"far": switch("far"), "u": slider("u", 0.0, 1.0, 0.5, 0.5)}

    def set_controls(far: bool, u: float) -> None:
        if far and u < 1:
            controls["u"].value = 1.0

    def compute(far: bool, u: float) -> Echo:
        return echo_of_a_pulse(u, 1.0, 10)

    def tabulate(echo: Echo) -> Table:
        return Table(("u",), [(echo.weight,)])

    return Explorer("a walk", controls, compute, EchoDrawing(), tabulate, set_controls)


def test_refused_values_are_no_stops():
    """Catches a page that offers what the explorer refuses."""

    def refuse(own: str) -> Echo:
        if own:
            raise ValueError("no such text can be drawn here, whatever it says: try another")
        return echo_of_a_pulse(0.5, 1.0, 10)

    def tabulate(echo: Echo) -> Table:
        return Table(("u",), [(echo.weight,)])

    own = {"own": text("own", "", "", ("bad",))}
    explorer = Explorer("typed", own, refuse, EchoDrawing(), tabulate)
    assert tour_of(explorer)["readings"][0]["opens"] == [[None, None]]
    explorer.close()


def test_a_tour_is_told_once(monkeypatch):
    """Catches a tour in every notebook, and one made twice where a cell runs again."""
    monkeypatch.delenv(WANTED, raising=False)
    assert not wanted_here("once")
    monkeypatch.setenv(WANTED, "1")
    assert wanted_here("once")
    assert not wanted_here("once")


def test_a_long_walk_is_walked_to_its_end():
    """Catches a slider with names that stops in the middle of a sentence."""
    explorer = explore_lstm_walk()
    stops = stops_of(explorer.controls["step"], STOPS)
    assert len(stops) == len(explorer.controls["step"].options)
    explorer.close()


def test_a_tour_is_walked_in_silence(monkeypatch):
    """Catches a message for each picture: ZeroMQ drops what a thousand of them push out."""
    monkeypatch.setenv(WANTED, "1")
    monkeypatch.setattr(tours, "_walked", set())
    explorer = explore_echo()
    explorer.twin = None  # so that a tour is walked
    number, sent = explorer.image.number, []
    monkeypatch.setattr(
        type(explorer.image.comm), "publish_msg", lambda _comm, kind, **_said: sent.append(kind)
    )
    explorer._ipython_display_()
    assert explorer.image.number - number > 20, "a tour without pictures"
    assert 0 < len(sent) < 10
    explorer.close()
