"""Answers in words: one page a question, marked by digit keys, saved as a file to grade with."""

from __future__ import annotations

import json
from collections.abc import Sequence

from course_utils.classroom.grading import Lecture
from course_utils.classroom.html import page, text
from course_utils.classroom.marks import Manual, Marks, hash_of_text
from course_utils.classroom.term import Term

MOST_SHOWN = 20_000  # letters of an answer
KEYS = 4  # digit 0 to 4: none to all of a question's points
KEYPAD = f"<nav>{''.join(f'<button>{key}</button>' for key in range(KEYS + 1))}</nav>"
SCRIPT = """
const cards = [...document.querySelectorAll("section")];
const { marks: before, question, place } = document.querySelector("main").dataset;
const kept = JSON.parse(localStorage.getItem(place) || "{}");
const here = (who) => cards.some((card) => card.dataset.student === who);
const known = Object.entries({ ...JSON.parse(before), ...kept });
// each is [mark, hash of the text that it was given for]; the hash may be missing
const all = known.filter(([who]) => here(who)).map(([who, mark]) => [who, [].concat(mark)]);
const marks = Object.fromEntries(all);
let at = 0;
function draw() {
  cards.forEach((card, k) => {
    const mark = marks[card.dataset.student];
    card.classList.toggle("here", k === at);
    const older = mark?.[1] && mark[1] !== card.dataset.text;
    const said = mark === undefined ? "no mark" : `${mark[0]} of 4`;
    card.querySelector("output").textContent = said + (older ? ", given for another text" : "");
  });
  const done = Object.keys(marks).length;
  document.querySelector("#done").textContent = `${done} of ${cards.length} marked`;
  if (cards[at]) cards[at].scrollIntoView({ block: "center" });
}
function give(mark) {
  const { student, text } = cards[at].dataset;
  marks[student] = [mark, text];
  localStorage.setItem(place, JSON.stringify(marks));
  at = Math.min(at + 1, cards.length - 1);
  draw();
}
cards.forEach((card, k) => card.addEventListener("click", () => { at = k; draw(); }));
document.querySelectorAll("nav button").forEach((button) => {
  button.addEventListener("click", () => give(Number(button.textContent)));
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key >= "0" && event.key <= "4") give(Number(event.key));
  else if (event.key === "ArrowDown") at = Math.min(at + 1, cards.length - 1);
  else if (event.key === "ArrowUp") at = Math.max(at - 1, 0);
  else return;
  event.preventDefault();
  draw();
});
document.querySelector("#save").addEventListener("click", () => {
  const quoted = (said) => '"' + said.replaceAll('"', '""') + '"';
  const line = ([who, [mark, text = ""]]) => [quoted(who), question, mark / 4, text].join(",");
  const rows = Object.entries(marks).map(line);
  const link = document.createElement("a");
  const lines = ["student,question,share,text", ...rows, ""].join("\\n");
  link.href = URL.createObjectURL(new Blob([lines], { type: "text/csv" }));
  link.download = `question-${question}.csv`;
  link.click();
});
draw();
"""


def manual_pages(
    term: Term, lecture: Lecture, rows: Sequence[Marks], given: Manual
) -> dict[str, bytes]:
    """Return a page for every question, with everybody's answer and no name beside it."""
    questions = {
        number: [
            (one.student, one.version.free_texts[number])
            for one in rows
            if one.version and number in one.version.free_texts
        ]
        for number in lecture.questions
    }
    return {
        f"manual/question-{number}.html": _page(term, lecture, number, answers, given)
        for number, answers in questions.items()
        if answers
    }


def _page(
    term: Term,
    lecture: Lecture,
    number: int,
    answers: Sequence[tuple[str, str]],
    given: Manual,
) -> bytes:
    before = {
        who: [round(mark.share * KEYS), mark.text]
        for who, _ in answers
        if (mark := given.get((who, number)))
    }
    cards = "\n".join(
        f'<section data-student="{text(who)}" data-text="{hash_of_text(said)}">'
        f"<pre>{text(said[:MOST_SHOWN])}</pre><output></output></section>"
        for who, said in answers
    )
    file = f"question-{number}.csv"
    help_ = (
        f"<p>Keys 0 to {KEYS} mark the framed answer and go on; arrows move, a click frames one. "
        f"<b>Save</b> downloads {file}; then <code>course grade {lecture.number} ... --manual "
        f'{file}</code>.</p><p><button id="save">Save</button> <span id="done"></span></p>'
    )
    asked, ours = (
        f"<p>{text(said[number])}</p>" if number in said else ""
        for said in (lecture.texts, lecture.our_answers)
    )
    ours = f"<details><summary>What we would say</summary>{ours}</details>" if ours else ""
    place = f"marks {term.name} {term.seed} {lecture.number} {number}"  # of this term only
    said = {"question": number, "marks": json.dumps(before), "place": place}
    data = " ".join(f'data-{name}="{text(value)}"' for name, value in said.items())
    body = f"<main {data}>{asked}{ours}{help_}{cards}{KEYPAD}</main>"
    return page(f"Lecture {lecture.number}, question {number}", body, SCRIPT)
