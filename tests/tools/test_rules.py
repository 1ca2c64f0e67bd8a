"""The notebook rules: each fires on a lecture that breaks it, the shipped lectures break none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from nbformat.v4 import new_markdown_cell, new_output, new_raw_cell

from course_utils.checks.change import Change
from course_utils.checks.exercise import Misconception
from course_utils.checks.find_exercise import Place, places
from course_utils.pages.notebook import read, words
from tests.tools.lesson import QUESTIONS, SETUP, STUB, TITLE, lesson, write_lesson
from tools.check import check
from tools.rules import (
    breaches,
    code,
    complaints,
    exercises,
    files,
    page,
    reading,
    running,
    whole_lecture,
)
from tools.rules.reading import TAKEAWAY

ROOT = Path(__file__).resolve().parents[2]
FILES, CODE, LECTURES, EXERCISES = files, code, whole_lecture, exercises
RUNNING, READING, PAGE = running, reading, page
MODULES = FILES, CODE, LECTURES, EXERCISES, RUNNING, READING, PAGE


def metadata(**values):
    """Return a change that sets a cell's (or file's) metadata."""
    return lambda cell: cell.metadata.update(values)


def tagged(source, *tags):
    """Return a change that sets a cell's text and tags."""

    def change(cell):
        cell.source = source
        cell.metadata["tags"] = list(tags)

    return change


def slide(kind):
    """Return a change that sets a cell's slide type."""
    return metadata(slideshow={"slide_type": kind})


def off_the_slides(source):
    """Return a change that sets a cell's text and takes it off the slides."""

    def change(cell):
        cell.source = source
        slide("skip")(cell)

    return change


def on_its_own_slide(source):
    """Return a change that sets a cell's text and begins a slide with it."""

    def change(cell):
        cell.source = source
        slide("subslide")(cell)

    return change


def with_output(cell):
    cell.outputs = [new_output("stream", text="2\n")]


def with_count(cell):
    cell.execution_count = 3


def without_exercise(notebook):
    notebook.cells = [c for c in notebook.cells if c.id not in ("stub", "check")]


def folded(source):
    """Return a change that sets a cell's text and collapses it."""

    def change(cell):
        cell.source = source
        cell.metadata["jupyter"] = {"source_hidden": True}

    return change


def with_open_note(notebook):
    note = new_markdown_cell("> **For the instructor.** It is 7.", id="note")
    note.metadata["slideshow"] = {"slide_type": "notes"}
    notebook.cells.insert(3, note)


def with_twin(notebook):
    notebook.cells[3].id = notebook.cells[2].id


def with_raw_cell(notebook):
    cell = new_raw_cell("raw", metadata={"slideshow": {"slide_type": "skip"}})
    notebook.cells.insert(3, cell)


def with_first_cell_below(notebook):
    notebook.cells.insert(1, notebook.cells.pop(0))


def with_takeaway(*slides):
    """Return a change that makes the section a taught one and sums it up on these slides."""

    def change(notebook):
        notebook.cells[2].source = "## 1 A section\n\n*5 minutes.* Long."
        for number, kind in enumerate(slides):
            cell = new_markdown_cell(f"{TAKEAWAY} Short.", id=f"sum-{number}")
            cell.metadata["slideshow"] = {"slide_type": kind}
            notebook.cells.insert(3, cell)

    return change


def planned(note, drawn, section="5 minutes"):
    """Return a change that plans the lecture: in its first note, on the map, in its section."""

    def change(notebook):
        notebook.cells[2].source = f"## 1 A section\n\n*{section}.*\n\n| [00 Small]() | {drawn} |"
        notes = new_markdown_cell(f"{note} minutes with all exercises, 2 without.", id="notes")
        notes.metadata["slideshow"] = {"slide_type": "notes"}
        notebook.cells.insert(2, notes)

    return change


def in_old_format(notebook):
    notebook.nbformat_minor = 4
    for cell in notebook.cells:
        del cell["id"]


CLAIM = 'claim("00.1", 2, low=1, says="two")'
ASK, TOLD = 'predict("00.a", "How many?")', 'predicted("00.a", 3)'
SENTENCE = CLAIM.replace("two", "It is {}.")

BROKEN = [
    (FILES.nothing_is_stored, {"claim": with_output}),
    (FILES.nothing_is_stored, {"claim": with_count}),
    (FILES.cells_have_ids, {"file": with_twin}),
    (FILES.cells_have_ids, {"file": in_old_format}),
    (FILES.metadata_is_plain, {"file": metadata(language_info={"version": "3.11.7"})}),
    (FILES.metadata_is_plain, {"file": metadata(kernelspec={"name": "my-env"})}),
    (FILES.metadata_is_plain, {"claim": metadata(execution={"start": "today"})}),
    (FILES.no_cell_is_excused, {"claim": tagged(CLAIM, "raises-exception")}),
    (FILES.no_cell_is_excused, {"claim": tagged(CLAIM, "nbval-skip")}),
    (FILES.no_cell_is_excused, {"claim": f"# NBVAL_RAISES_EXCEPTION\n{CLAIM}"}),
    (FILES.no_cell_is_excused, {"claim": f"#nbval_skip\n{CLAIM}"}),
    (FILES.no_cell_is_excused, {"claim": f"# PYTEST_VALIDATE_IGNORE_OUTPUT\n{CLAIM}"}),
    (FILES.every_cell_has_a_slide_type, {"section": slide("aside")}),
    (FILES.every_cell_has_a_slide_type, {"section": slide("")}),
    (FILES.only_prose_and_code, {"file": with_raw_cell}),
    (FILES.only_prose_and_code, {"claim": "  "}),
    (CODE.cells_are_short, {"claim": "\n".join(["x = 1"] * 16)}),
    (CODE.cells_are_short, {"claim": "x = '" + "y" * 80 + "'"}),
    (CODE.cells_are_short, {"section": "## A section\n\n" + "word " * 121}),
    (CODE.code_parses, {"claim": "%timeit 2 + 2"}),
    (CODE.code_parses, {"claim": "!pip install torch"}),
    (CODE.code_parses, {"claim": "x = ("}),
    (CODE.imports_stand_in_the_setup, {"claim": "import math"}),
    (CODE.imports_stand_in_the_setup, {"claim": "if True:\n    from math import pi"}),
    (CODE.imports_stand_in_the_setup, {"setup": tagged("x = 1")}),
    (CODE.imports_stand_in_the_setup, {"claim": tagged(CLAIM, "setup")}),
    (CODE.cells_are_short, {"setup": SETUP + "\nx = 1" * 12}),
    (CODE.ours_comes_by_one_import, {"setup": f"{SETUP}\nfrom course_utils import models"}),
    (CODE.ours_comes_by_one_import, {"setup": f"{SETUP}\nimport course_utils.models"}),
    (CODE.ours_comes_by_one_import, {"setup": SETUP.replace("lectures.start_here", "checks")}),
    (CODE.ours_comes_by_one_import, {"setup": SETUP.replace("check, claim, explore_echo", "*")}),
    (CODE.functions_have_a_reason, {"claim": "def f():\n    return 1"}),
    (CODE.functions_have_a_reason, {"claim": "if True:\n    class C:\n        x = 1"}),
    (CODE.nothing_comes_from_outside, {"setup": "import urllib.request"}),
    (CODE.nothing_comes_from_outside, {"claim": "x = 'https://example.org/a.txt'"}),
    (CODE.nothing_comes_from_outside, {"claim": "x = '/home/me/a.txt'"}),
    (CODE.nothing_comes_from_outside, {"claim": r"x = 'C:\\data'"}),
    (CODE.nothing_comes_from_outside, {"claim": "x = '~/a.txt'"}),
    (CODE.nothing_comes_from_outside, {"section": "## A\n\n![x](https://example.org/x.png)"}),
    (CODE.nothing_comes_from_outside, {"section": "<img src='https://example.org/x.png'>"}),
    (CODE.links_lead_somewhere, {"section": "## A section\n\n[gone](gone.ipynb)"}),
    (CODE.links_lead_somewhere, {"section": "## A section\n\n[home](/home/me/x.ipynb)"}),
    (CODE.links_lead_somewhere, {"section": "## A section\n\n[gone](#Nowhere)"}),
    (CODE.numbers_are_for_people, {"claim": "print(f'{0.5**100:.0e} is left')"}),
    (CODE.numbers_are_for_people, {"claim": "print(f'{0.5**100:.3g} is left')"}),
    (CODE.numbers_are_for_people, {"claim": "n = 3\nprint(f'{0.5**100:>{n}.1E} is left')"}),
    (RUNNING.a_wrong_kernel_is_told, {"setup": "import torch"}),
    (RUNNING.a_name_means_one_thing, {"stub": "x = 1", "claim": "x = 2", "check": "print(x)"}),
    (RUNNING.a_name_means_one_thing, {"stub": "for x in 1, 2: y = x", "claim": "y = y + 1"}),
    (RUNNING.a_name_means_one_thing, {"stub": "y = 1", "claim": "y += 1"}),
    (RUNNING.a_name_means_one_thing, {"stub": "y = 1", "claim": "f = [y for _ in 'ab']\ny = 2"}),
    (RUNNING.a_name_means_one_thing, {"stub": "y = 1", "claim": "def f():\n    return y\ny = f()"}),
    (READING.every_section_says_its_minutes, {"section": "## 1 A section\n\nlong"}),
    (READING.the_minutes_add_up, {"file": planned(10, 5)}),
    (READING.the_minutes_add_up, {"file": planned(5, 10)}),
    (READING.every_section_is_summed_up, {"section": "## 1 A section\n\n*5 minutes.* Long."}),
    (READING.every_section_is_summed_up, {"file": with_takeaway("skip")}),
    (READING.every_explorer_has_a_task, {"claim": "explore_echo()"}),
    (READING.every_question_is_answered, {"questions": "## Questions\n\n1. Why?"}),
    (READING.every_question_is_answered, {"questions": QUESTIONS.replace("**4**", "**5**")}),
    (READING.every_question_is_answered, {"questions": QUESTIONS.replace("details", "p")}),
    (LECTURES.it_begins_with_a_promise, {"title": TITLE.replace("00", "03")}),
    (LECTURES.it_begins_with_a_promise, {"title": TITLE + "\n4. a fourth goal"}),
    (LECTURES.it_begins_with_a_promise, {"title": TITLE.replace("It promises little.", "")}),
    (LECTURES.it_begins_with_a_promise, {"title": slide("subslide")}),
    (LECTURES.it_begins_with_a_promise, {"file": with_first_cell_below}),
    (LECTURES.it_ends_as_all_do, {"summary": "## In short\n\n- x"}),
    (LECTURES.it_ends_as_all_do, {"sources": "## Sources\n\nnone"}),
    (LECTURES.it_ends_as_all_do, {"sources": "## Sources\n\n- x\n\n## Thanks\n\n- y"}),
    (LECTURES.it_ends_as_all_do, {"questions": "## Questions\n\n1. Why?"}),
    (LECTURES.it_ends_as_all_do, {"questions": "## Questions\n" + "\n1. Why?" * 9}),
    (LECTURES.claims_can_break, {"claim": 'claim("02.1", 2, low=1, says="two")'}),
    (LECTURES.claims_can_break, {"claim": f"{CLAIM}\n{CLAIM}"}),
    (LECTURES.claims_can_break, {"claim": f"{CLAIM.replace('.1', '.2')}\n{CLAIM}"}),
    (LECTURES.claims_can_break, {"claim": 'claim("00.1", 2, says="two")'}),
    (LECTURES.claims_can_break, {"claim": 'claim("00.1", 2, low=1)'}),
    (LECTURES.claims_can_break, {"claim": 'claim("00.1", 2, low=1, says="")'}),
    (LECTURES.claims_can_break, {"claim": f"for _ in range(3):\n    {CLAIM}"}),
    (LECTURES.claims_can_break, {"claim": 'n = "00.1"\nclaim(n, 2, low=1, says="two")'}),
    (LECTURES.predictions_are_answered, {"claim": f'predict("00.a", "?")\n{CLAIM}'}),
    (LECTURES.predictions_are_answered, {"stub": ASK, "claim": TOLD}),
    (LECTURES.predictions_are_answered, {"claim": ASK, "stub": off_the_slides(TOLD)}),
    (EXERCISES.exercises_are_whole, {"stub": STUB.replace("...", "return u")}),
    (EXERCISES.exercises_are_whole, {"stub": STUB + "\n\nx = 1"}),
    (EXERCISES.exercises_are_whole, {"stub": STUB.replace("one_step", "one_stop")}),
    (EXERCISES.exercises_are_whole, {"stub": STUB.replace("h_before", "h")}),
    (EXERCISES.exercises_are_whole, {"stub": STUB.replace("x)", "x=0)")}),
    (EXERCISES.exercises_are_whole, {"stub": STUB.replace("x)", "x: int)")}),
    (
        EXERCISES.exercises_are_whole,
        {"setup": "from course_utils.lectures.start_here import check, claim"},
    ),
    (EXERCISES.exercises_are_whole, {"check": 'check("0.7", one_step)'}),
    (EXERCISES.exercises_are_whole, {"check": 'check("2.1", one_step)'}),
    (EXERCISES.exercises_are_whole, {"check": "x = 1"}),
    (EXERCISES.exercises_are_whole, {"check": 'x = 1\ncheck("0.1", one_step)'}),
    (EXERCISES.exercises_are_whole, {"stub": tagged(STUB, "by-hand")}),
    (EXERCISES.exercises_are_whole, {"file": without_exercise}),
    (EXERCISES.exercises_are_counted, {"check": 'check("0.2", one_step)'}),
    (EXERCISES.exercises_are_counted, {"section": "## 1 A section\n\n### Exercise 0.2: a step"}),
    (PAGE.book_keeping_is_folded, {"setup": metadata(jupyter={})}),
    (PAGE.book_keeping_is_folded, {"claim": "\n".join(["x = 1"] * 13)}),
    (PAGE.book_keeping_is_folded, {"claim": folded("x = 1")}),
    (PAGE.claims_are_sentences, {"claim": CLAIM}),
    (PAGE.claims_are_sentences, {"claim": CLAIM.replace("two", "It is two.")}),
    (PAGE.claims_are_sentences, {"claim": CLAIM.replace("two", "it is {}.")}),
    (PAGE.claims_are_sentences, {"claim": CLAIM.replace("two", "It is {}")}),
    (PAGE.claims_are_sentences, {"claim": f"{SENTENCE[:-1]}, quiet=True)"}),
    (PAGE.claims_are_sentences, {"claim": "\n".join([SENTENCE] * 13)}),
    (PAGE.no_table_is_printed, {"claim": "for n in (1, 2):\n    print(n)"}),
    (PAGE.results_are_drawn, {"claim": SENTENCE, "check": on_its_own_slide("same('a', 1, 1)")}),
    (
        PAGE.every_click_shows_something,
        {"claim": folded(f"# Measure it.\n{SENTENCE[:-1]}, quiet=True)")},
    ),
    (
        PAGE.results_stand_below_their_own_question,
        {"section": "### Explore: a unit", "claim": on_its_own_slide(SENTENCE)},
    ),
    (PAGE.notes_are_folded, {"file": with_open_note}),
    (LECTURES.explorers_exist, {"claim": "explorers.explore_atlantis()"}),
    (LECTURES.explorers_exist, {"claim": "explore_atlantis()"}),
]


@pytest.mark.parametrize(("rule", "change"), BROKEN)
def test_a_broken_lecture_is_told(tmp_path, rule, change):
    """Catches a rule that never fires, or says nothing about what to do."""
    found = list(rule(lesson(tmp_path, **change)))
    assert found
    assert all(breach.what and breach.do for breach in found)


def test_every_rule_has_a_lecture_that_breaks_it():
    """Catches a rule that is added without a case against it."""
    every = {rule for module in MODULES for rule in module.RULES}
    tested_below = {LECTURES.prose_carries_it, READING.the_next_lecture_is_named}
    assert every - {rule for rule, _ in BROKEN} == tested_below


@pytest.mark.parametrize(
    ("prose", "code", "fits"), [(65, 35, True), (49, 51, False), (76, 24, False)]
)
def test_prose_has_its_share(tmp_path, prose, code, fits):
    """Catches a lecture that is mostly code, or hardly any, and blanks that count as text."""
    notebook = lesson(tmp_path)
    notebook.path = tmp_path / "notebooks" / "02_small.ipynb"
    for cell in notebook.cells:
        cell.node.source = ""
    notebook.prose[0].node.source = "a " * prose
    notebook.code[0].node.source = "x   \n" * code
    assert (not list(LECTURES.prose_carries_it(notebook))) == fits


def test_a_section_is_summed_up_once(tmp_path):
    """Catches a sentence that counts for two sections, and a rule that takes none."""
    found = {
        slides: len(list(READING.every_section_is_summed_up(lesson(tmp_path, file=change))))
        for slides in ((), ("fragment",), ("fragment", "fragment"))
        for change in [with_takeaway(*slides)]
    }
    assert found == {(): 1, ("fragment",): 0, ("fragment", "fragment"): 1}


def test_the_end_is_a_door(tmp_path):
    """Catches a lecture that ends without a word about the next, and a last one that must."""
    write_lesson(tmp_path, "02_later.ipynb")
    write_lesson(tmp_path, "01_next.ipynb")
    assert list(READING.the_next_lecture_is_named(lesson(tmp_path)))
    with_link = lesson(tmp_path, sources="## Sources\n\n- x\n\n**Next:** [1](01_next.ipynb)")
    assert not list(READING.the_next_lecture_is_named(with_link))
    assert not list(READING.the_next_lecture_is_named(read(tmp_path / "notebooks/02_later.ipynb")))


def test_minutes_are_rounded_up_to_five(tmp_path):
    """Catches a sum that has to be told to the minute, one rounded down, a map without the row."""
    for file, breaks in (
        (planned(15, 15, "12 minutes"), 0),
        (planned(12, 15, "12 minutes"), 0),
        (planned(10, 10, "12 minutes"), 2),
        (planned(15, "15 or so", "12 minutes"), 0),  # no map
    ):
        assert len(list(READING.the_minutes_add_up(lesson(tmp_path, file=file)))) == breaks
    lesson(tmp_path, file=planned(15, 15, "12 minutes"))
    other = write_lesson(tmp_path, "03_other.ipynb", file=planned(15, 15, "12 minutes"))
    assert len(list(READING.the_minutes_add_up(read(other)))) == 1


def test_a_task_stands_above_its_explorer(tmp_path):
    """Catches one task that serves two explorers, and a task below its explorer."""
    task = "## A section\n\n**Your task:** find it."
    explorer = "explore_echo()"
    for changes, breaks in (
        ({"section": task, "claim": explorer}, 0),
        ({"section": task, "claim": explorer, "stub": explorer}, 1),
        ({"summary": task, "claim": explorer}, 1),
    ):
        found = list(READING.every_explorer_has_a_task(lesson(tmp_path, **changes)))
        assert len(found) == breaks, changes


def test_a_name_may_be_used_again_by_its_own_cell(tmp_path):
    """Catches a rule that forbids loop variables, scratch names and names inside functions."""
    fine = {
        "stub": "x = 1\nfor t in range(x):\n    x = x + t\nprint([t for t in 'ab'])",
        "claim": "x = 3\nfor t in range(x): y = t\ndef f(x):\n    return f(x)",
        "check": "t, x = 1, 2\nprint(t, x, y, f, [x for x in 'ab'])",
    }
    assert list(RUNNING.a_name_means_one_thing(lesson(tmp_path, **fine))) == []


def test_a_lecture_may_fold_and_be_quiet(tmp_path):
    """Catches a limit on code that nobody sees, and steps on the way that count as shown."""
    book_keeping = "\n".join(["# Count.", *["x = 1"] * 13])
    quiet = f"{SENTENCE[:-1]}, quiet=True)"
    several = "\n".join([*[SENTENCE] * 6, *[quiet] * 20])
    assert list(PAGE.book_keeping_is_folded(lesson(tmp_path, claim=folded(book_keeping)))) == []
    assert list(PAGE.claims_are_sentences(lesson(tmp_path, claim=several))) == []


def test_what_a_lecture_is_made_of_is_measured(tmp_path):
    """Catches folded code that counts as open, and pictures that are not seen."""
    drawn = "show(1)\nexplore_echo()"
    before, after = (PAGE.shares(lesson(tmp_path, claim=c)) for c in (drawn, folded(drawn)))
    assert (before.pictures, before.explorers) == (1, 1)
    assert before.open_code - after.open_code == after.folded_code - before.folded_code == 21


def test_half_of_the_slides_with_a_result_draw_it(tmp_path):
    """Catches tables that count as pictures, quiet claims as results, and slides without either."""
    for section, results, drawn in (
        ("x = 1", 0, 0),
        (f"{SENTENCE[:-1]}, quiet=True)", 0, 0),
        (SENTENCE, 1, 0),
        ("draw_table('two', ['a'], [[1]])", 1, 0),
        (f"{SENTENCE}\nshow(1)", 1, 1),
        ("explore_echo()", 1, 1),
    ):
        found = PAGE.shares(lesson(tmp_path, claim=section))
        assert (found.results, found.drawn) == (results, drawn), section
    again = on_its_own_slide("show(1)")
    assert not list(PAGE.results_are_drawn(lesson(tmp_path, claim=SENTENCE, check=again)))


def test_the_small_lecture_keeps_every_rule(tmp_path):
    """Catches a rule that fires on everything."""
    assert list(breaches(lesson(tmp_path))) == []


def test_a_learners_copy_needs_no_solutions(tmp_path):
    """Catches a rule that fails where an instructor left solutions/ out."""
    notebook = lesson(tmp_path)
    (tmp_path / "solutions" / "ex00_start.py").unlink()
    assert list(breaches(notebook))
    (tmp_path / "solutions").rmdir()
    assert list(breaches(notebook)) == []


class _Misfit(Place):
    def load(self):
        """Return exercise 0.1 with a mistake whose text is not there."""
        found = super().load()
        return replace(found, misconceptions=(Misconception("a slip", Change("sinh", "cosh"), ""),))


def test_a_change_that_does_not_fit_is_a_breach(tmp_path, monkeypatch):
    """Catches a traceback where `make rules` should say which mistake of which file to mend."""
    misfit = {"0.1": _Misfit(*places()["0.1"])}
    monkeypatch.setattr("tools.rules.exercises.places", lambda: misfit)
    (breach,) = breaches(lesson(tmp_path))
    assert """exercise 0.1, "a slip": 'sinh' occurs 0 times""" in breach.what
    assert breach.do == "mend e0_1_one_step.py"


def test_the_shipped_lectures_keep_every_rule():
    """Catches an output left in a notebook, and every other breach above."""
    found = complaints(ROOT / "notebooks")
    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("<<<<<<< HEAD\n{}", "no longer a notebook"),
        ("", "no longer a notebook"),
        ("{}", "has no cells"),
        ('{"cells": []}', "has no cells"),
        ("[]", "has no cells"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, text, says):
    """Catches a traceback from inside json after a merge that went wrong: which file is it?"""
    path = tmp_path / "00_small.ipynb"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"00_small\.ipynb.*{says}.*git checkout"):
        read(path)


def test_the_report_names_file_cell_and_cure(tmp_path, capsys):
    """Catches a report that cannot be acted on, and one that does not fail the run."""
    write_lesson(tmp_path, claim=with_output)
    (tmp_path / "notebooks" / "Untitled.ipynb").write_text("{}")
    assert check(ROOT, tmp_path / "notebooks") == 1
    told = capsys.readouterr().out
    assert "00_small.ipynb: cell 4: an output is stored\n    → clear all outputs" in told
    assert "Untitled.ipynb: is not named like a lecture" in told


@pytest.mark.parametrize(
    ("prose", "count"),
    [
        ("three plain words", 3),
        ("a formula $a + b = c$ is one", 5),
        ("$$\na = b \\\\\n c = d\n$$", 1),
        ("[two words](https://example.org/not/counted here)", 2),
        ("<b>one</b> - * |", 1),
        ("before\n```python\nnot = counted\n```\nafter", 2),
        ("| a | b |\n|---|---|\n| c | d |", 4),
    ],
)
def test_words_are_what_is_read(prose, count):
    """Catches a count in which formulas, links or markup make a cell look long."""
    assert words(prose) == count
