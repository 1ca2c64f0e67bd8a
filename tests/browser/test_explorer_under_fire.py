"""Explorers between readers in a hurry, lost kernels, odd typing, and those who cannot see them."""

from __future__ import annotations

import re

import pytest

from tests.browser.explorer_page import ExplorerPage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Press arrow keys on several sliders in turn, with pauses of no to thirty milliseconds: most are
# short.
HURRY = """async ([presses, places]) => {
  const handles = [...document.querySelectorAll(".course-explorer .noUi-handle")];
  let seed = 7;
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let press = 0; press < presses; press++) {
    const handle = handles[places[press % places.length]];
    const key = chance() < 0.5 ? "ArrowLeft" : "ArrowRight";
    handle.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await new Promise((done) => setTimeout(done, 30 * chance() ** 2));
  }
}"""
BURSTS, PRESSES = 10, 100


def number_box(explorer: ExplorerPage, index: int = 0):
    """Return the editable number beside a slider."""
    return explorer.box.locator(".widget-readout").nth(index)


def type_number(explorer: ExplorerPage, text: str, then: str) -> str:
    """Type over the first number box, press a key, return what the box says at last."""
    box = number_box(explorer)
    box.focus()
    explorer.lab.page.keyboard.press("Control+a")
    explorer.lab.page.keyboard.insert_text(text)
    explorer.press(then)
    return box.text_content().replace("−", "-")


@pytest.mark.parametrize("places", [[0], [0, 1]], ids=["one control", "two controls"])
def test_a_thousand_changes_end_on_the_last_values(shared_notebook, places):
    """Catches a change that came while a picture was drawn and is lost for good."""
    lab = shared_notebook("hurry.ipynb")
    explorer = ExplorerPage(lab)
    for _ in range(BURSTS):
        lab.page.evaluate(HURRY, [PRESSES, places])
        lab.settle()
        page = [
            float(text.replace("−", "-"))
            for text in explorer.box.locator(".widget-readout").all_text_contents()
        ]
        kernel = lab.ask("list(echo.values.values())")
        assert page == pytest.approx(kernel)
        assert lab.ask("echo.data.weight") == kernel[0]
        assert lab.ask("float(echo.data.states[1])") == pytest.approx(
            lab.ask("__import__('math').tanh(echo.values['pulse'])")
        )
        shown = explorer.picture()
        lab.ask("echo.redraw()")
        lab.settle()
        assert explorer.picture() == shown
    assert lab.problems() == []


def handles(explorer: ExplorerPage) -> list:
    """Return the sliders' handles."""
    return explorer.box.locator(".noUi-handle").all()


def test_every_control_has_a_name_and_speaks(shared_notebook):
    """Catches "slider, 0" where a reader needs "step: 1 We, forget", and silent changes."""
    explorer = ExplorerPage(shared_notebook("gates.ipynb"))
    step = explorer.box.get_by_role("slider", name="step", exact=True)
    assert step.get_attribute("aria-valuetext") == "1 We, forget"
    step.focus()
    explorer.press("ArrowRight")
    assert step.get_attribute("aria-valuetext") == "1 We, input"
    assert explorer.box.get_by_role("slider").count() == 2
    assert explorer.box.get_by_role("textbox", name="unit, as a number").count() == 1
    assert explorer.box.get_by_role("combobox", name="sentence").count() == 1
    assert explorer.box.get_by_role("textbox", name="or your own").count() == 1
    words = explorer.box.locator(".course-words")
    assert words.get_attribute("aria-live") == "polite"
    numbers = explorer.box.get_by_role("button", name="Show the numbers")
    assert numbers.get_attribute("aria-pressed") == "false"
    explorer.click("Show the numbers")
    assert numbers.get_attribute("aria-pressed") == "true"


CUT_OFF = """box => [...box.querySelectorAll(".widget-readout, .widget-label")]
  .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)"""


def test_read_outs_are_whole_and_sliders_keep_a_length(shared_notebook):
    """Catches "1 We · forg", and a slider of no length on a narrow or an enlarged page."""
    lab = shared_notebook("gates.ipynb")
    explorer = ExplorerPage(lab)
    try:
        for width in (1280, 900, 640):  # the last is 1280 at 200 %
            lab.page.set_viewport_size({"width": width, "height": 720})
            lab.settle()
            assert explorer.box.evaluate(CUT_OFF) == []
            for slider in explorer.box.locator(".noUi-target").all():
                assert slider.bounding_box()["width"] >= 120
    finally:
        lab.page.set_viewport_size({"width": 1280, "height": 720})


TYPED = (
    ("1.2", "Tab", "1.20"), ("0,9", "Tab", "0.90"), ("−0.3", "Enter", "-0.30"),
    ("zzz", "Tab", "0.80"), ("", "Tab", "0.80"), ("1.2", "Escape", "0.80"),
    ("99", "Enter", "1.50"), ("1e-1", "Tab", "0.10"), ("1,000", "Tab", "1.00"),
)  # fmt: skip


def test_a_number_box_takes_what_is_typed(shared_notebook):
    """Catches a box that says one number beside the picture of another."""
    lab = shared_notebook("hurry.ipynb")
    explorer = ExplorerPage(lab)
    for typed, then, said in TYPED:
        explorer.click("Back to the start")
        taken = type_number(explorer, typed, then), lab.ask("echo.data.weight")
        assert taken == (said, pytest.approx(float(said))), f"{typed!r}, then {then}"


def test_escape_puts_a_line_of_text_back(shared_notebook):
    """Catches half a prompt that is taken although the reader thought better of it."""
    lab = shared_notebook("words.ipynb")
    explorer = ExplorerPage(lab)
    line = explorer.box.get_by_role("textbox", name="prompt")
    words = explorer.words()
    line.focus()
    lab.page.keyboard.type(" nonsense")
    explorer.press("Escape")
    assert line.input_value() == "The Congress of the"
    assert explorer.words() == words


def test_odd_typing_reaches_the_kernel(shared_notebook):
    """Catches half a character that no message can hold, and a word of 100,000 letters."""
    lab = shared_notebook("words.ipynb")
    explorer = ExplorerPage(lab)
    line = explorer.box.get_by_role("textbox", name="prompt")
    for text in (r"'the \ud83d'", "'x'.repeat(100000)"):
        line.evaluate(
            "(node, js) => { node.focus(); node.value = eval(js);"
            " for (const name of ['input', 'change'])"
            " node.dispatchEvent(new Event(name, { bubbles: true })); }",
            text,
        )
        lab.settle()
        assert explorer.error() == ""
        assert len(explorer.words()) < 1000
        assert ("�" in explorer.words()) == ("the" in text)
        assert len(line.input_value()) <= 2000
    assert lab.problems() == []


def test_saving_and_running_work_from_inside(open_notebook):
    """Catches a lecture that is not saved, and a walk down it that ends at every explorer."""
    lab = open_notebook("echo.ipynb").run_all()
    explorer = ExplorerPage(lab)
    lab.activate(0)
    handles(explorer)[0].focus()
    assert lab.page.evaluate("() => window.course.panel.context.model.dirty")
    with lab.page.expect_response(lambda r: r.request.method == "PUT" and "contents" in r.url):
        lab.page.keyboard.press("Control+s")
    explorer.press("ArrowRight")  # the focus has stayed
    assert "recurrent weight 0.85 " in explorer.words()
    lab.page.keyboard.press("a")
    assert len(lab.cells()) == 2  # and the guard is back
    explorer.press("Shift+Enter")
    assert lab.page.evaluate("() => window.course.panel.content.activeCellIndex") == 1
    assert "recurrent weight 0.8 " in ExplorerPage(lab).words()  # the cell was run


def test_typed_text_is_taken_before_the_cell_runs(open_notebook):
    """Catches Shift+Enter that does nothing in a number box."""
    lab = open_notebook("echo.ipynb").run_all()
    explorer = ExplorerPage(lab)
    lab.activate(0)
    number_box(explorer).focus()
    explorer.press("Shift+Enter")
    assert lab.page.evaluate("() => window.course.panel.content.activeCellIndex") == 1


def test_a_lost_kernel_is_told(open_notebook):
    """Catches sliders that move while nothing answers, without a word."""
    lab = open_notebook("echo.ipynb").run_all()
    explorer = ExplorerPage(lab)
    before = explorer.picture()
    asleep = explorer.box.locator(".course-asleep")
    assert asleep.count() == 0
    lab.page.evaluate("() => window.course.panel.sessionContext.session.kernel.restart()")
    asleep.wait_for()
    assert "Run this cell again" in asleep.text_content()
    assert explorer.picture() == before
    assert handles(explorer)[0].evaluate("node => Boolean(node.closest('[inert]'))")
    lab.page.evaluate(
        "() => new Promise((done) => { const s = window.course.panel.sessionContext;"
        " const look = () => s.session?.kernel?.status === 'idle' && done();"
        " s.statusChanged.connect(look); look(); })"
    )
    lab.run_cell(0)
    explorer = ExplorerPage(lab)
    assert explorer.box.locator(".course-asleep").count() == 0
    handles(explorer)[0].focus()
    assert explorer.press("ArrowRight") != before


def test_a_lecture_opened_without_its_kernel_shows_the_last_picture(open_notebook, lab):
    """Catches "Error displaying widget", and the first picture where the last should be."""
    lab = open_notebook("cliff.ipynb").run_all()
    explorer = ExplorerPage(lab)
    still = lab.page.locator(".course-still")
    assert not still.is_visible()
    handles(explorer)[0].focus()
    renewed = lab.page.evaluate_handle(
        "() => ({ done: new Promise((done) => new MutationObserver(() => done())"
        ".observe(window.course.panel.content.widgets[0].outputArea.node,"
        " { childList: true, subtree: true, attributes: false })) })"
    )
    explorer.press("Home")
    words = explorer.words()
    renewed.evaluate("handle => handle.done")
    still.locator("figcaption", has_text=words).wait_for(state="attached")
    lab.command("docmanager:save")
    lab.shut()
    with lab.page.expect_console_message(lambda said: "widget model not found" in said.text):
        lab.open("cliff.ipynb")  # Lab complains when it has asked the kernel, maybe a test later
        still.wait_for()
    assert still.locator("figcaption").text_content() == words
    assert still.locator("img").get_attribute("alt") == words
    assert still.locator("img").evaluate("img => img.naturalWidth") > 300
    lab.page.get_by_text(re.compile("Error displaying widget|Loading widget")).first.wait_for(
        state="hidden"
    )
