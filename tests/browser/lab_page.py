"""One notebook in one JupyterLab page: open it, run it, ask what became of it."""

from __future__ import annotations

import ast
import secrets
from pathlib import Path
from typing import Any

from tests.browser.options import slow_down
from tests.browser.server import LabServer

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
PATIENCE = 300_000  # milliseconds: nobody waits that long, but where many share the processor
HARMLESS = (
    "slider-vertical",  # in JupyterLab's own style sheets
    "Autofocus processing was blocked",
)
# Lab asks every fresh kernel for the widgets it already has, before ipywidgets is imported there:
# the kernel logs that nobody listens yet. On a busy machine that line comes after our first look.
ASKED_TOO_EARLY = "No such comm"
# anywidget complains of a script that took two seconds; page/late.js lets no harm come of it
LATE = "[anywidget] Failed to initialize model."
OPEN = """async (path) => {
  await window.jupyterapp.commands.execute("docmanager:open", { path });
}"""
# Lab takes its splash away 200 ms after the page is ready or the theme is switched. A switch within
# that time has it taken away twice, which throws: a page with a splash is not at rest.
SPLASH = "#jupyterlab-splash"
PAPER_IS_LIGHT = """(light) => {
  const paper = getComputedStyle(document.querySelector(".jp-Notebook"));
  return String(parseInt(paper.backgroundColor.match(/[0-9]+/)[0]) > 127) === light;
}"""
KERNEL_READY = """(path) => {
  const panel = window.jupyterapp?.shell.currentWidget;
  const kernel = panel?.sessionContext?.session?.kernel;
  return panel?.context?.path === path && panel.context.isReady
    && kernel?.connectionStatus === "connected" && kernel.status === "idle"
    && panel.content.widgets.length > 0;
}"""


class LabPage:
    """A browser page that shows one notebook of a server's course folder."""

    def __init__(self, browser, server: LabServer, width: int = 1280, height: int = 720):
        self.server = server
        self.context = browser.new_context(viewport={"width": width, "height": height})
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        slow_down(self.page)
        self.complaints: list[str] = []
        self.outside: list[str] = []
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        self.page.on("request", self._note_request)

    def open(self, notebook: str) -> LabPage:
        """Open a notebook of the folder notebooks/ and wait for its kernel."""
        self.name = notebook
        path = f"notebooks/{notebook}"
        if self.page.url == "about:blank":
            workspace = f"test-{secrets.token_hex(4)}"  # no tabs from the test before
            address = f"{self.server.url}lab/workspaces/{workspace}/tree/{path}"
            self.page.goto(f"{address}?token={self.server.token}")
        else:
            self.page.evaluate(OPEN, path)
        self.page.wait_for_function(KERNEL_READY, arg=path)
        self.page.wait_for_selector(SPLASH, state="detached")
        self.page.evaluate(SCRIPT)
        self.complaints.clear()
        self.outside.clear()
        return self

    def shut(self) -> None:
        """End the notebook's kernel and close its tab without saving."""
        self.page.evaluate("() => window.course?.shut()")

    def close(self) -> None:
        """Close the page."""
        self.context.close()

    def run_all(self) -> LabPage:
        """Run every cell, as the menu does, and wait for the last and for its pictures."""
        self.command("notebook:run-all-cells")
        return self.settle()

    def run_cell(self, index: int) -> LabPage:
        """Run one cell in place."""
        self.activate(index)
        self.command("notebook:run-cell")
        return self.settle()

    def activate(self, index: int) -> None:
        """Select one cell, the others not."""
        self.page.evaluate(
            "i => { const nb = window.course.panel.content;"
            " nb.deselectAll(); nb.activeCellIndex = i; }",
            index,
        )

    def settle(self) -> LabPage:
        """Wait until the kernel owes nothing and every picture is on the screen."""
        self.page.evaluate("() => window.course.settled()")
        return self

    def forgive(self) -> None:
        """Wait no longer for what was asked of a kernel that somebody else has restarted."""
        self.page.evaluate("() => window.course.forgive()")

    def command(self, name: str, **arguments: Any) -> None:
        """Execute one of JupyterLab's commands and wait for its end."""
        self.page.evaluate(
            "async ([name, args]) => { await window.jupyterapp.commands.execute(name, args); }",
            [name, arguments],
        )

    def use_theme(self, shade: str) -> None:
        """Switch JupyterLab to its Light or its Dark theme and wait until the page is at rest."""
        self.command("apputils:change-theme", theme=f"JupyterLab {shade}")
        light = "true" if shade == "Light" else "false"
        self.page.wait_for_selector(f'[data-jp-theme-light="{light}"]', state="attached")
        self.page.wait_for_function(PAPER_IS_LIGHT, arg=light)  # the style comes after the word
        self.page.wait_for_selector(SPLASH, state="detached")

    def ask(self, expression: str) -> Any:
        """Return the value of a Python expression in the notebook's kernel."""
        return ast.literal_eval(self.page.evaluate("text => window.course.ask(text)", expression))

    def cells(self) -> list[dict]:
        """Return every cell: id, type, source, execution count, errors, widget placeholders."""
        return self.page.evaluate("() => window.course.cells()")

    def slide_types(self) -> list[str | None]:
        """Return every cell's slide type."""
        return self.page.evaluate(
            "() => window.course.panel.content.widgets"
            ".map((cell) => cell.model.getMetadata('slideshow')?.slide_type ?? null)"
        )

    def problems(self) -> list[str]:
        """Return all that went wrong since the notebook was opened, one line each."""
        found = [f"console: {text}" for text in self.complaints if LATE not in text]
        found += [f"asked the outside: {url}" for url in self.outside]
        said = self.page.evaluate("() => window.course.errors")
        found += [f"kernel: {text}" for text in said if ASKED_TOO_EARLY not in text]
        for index, cell in enumerate(self.cells()):
            found += [f"cell {index}: {text}" for text in cell["errors"] + cell["placeholders"]]
        return found

    def type_into(self, index: int, source: str) -> LabPage:
        """Replace a cell's text through its editor, then run it with Shift+Enter."""
        self.activate(index)
        self.command("notebook:enter-edit-mode")
        keyboard = self.page.keyboard
        keyboard.press("Control+a")
        keyboard.insert_text(source)  # as one piece: the editor adds no brackets of its own
        keyboard.press("Shift+Enter")
        return self.settle()

    def output_of(self, index: int) -> str:
        """Return the text that a cell shows below itself."""
        # not innerText, which is empty for what lies far below the window
        text = self.page.evaluate(
            "i => window.course.panel.content.widgets[i].outputArea.node.textContent", index
        )
        return " ".join(text.split())

    def _note_console(self, message) -> None:
        if message.type == "error" and not any(known in message.text for known in HARMLESS):
            self.complaints.append(message.text)

    def _note_request(self, request) -> None:
        inside = (self.server.url, "data:", "blob:", "ws://127.0.0.1")
        if not request.url.startswith(inside):
            self.outside.append(request.url)
