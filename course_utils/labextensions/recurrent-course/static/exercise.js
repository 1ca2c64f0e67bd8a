// An exercise on a slide: write in it, run it and its check, ask for a hint or for the answer.
import { element } from "./chrome.js";

/** @import { Deck } from "./deck.js" */
/** @import { CodeCell } from "@jupyterlab/cells" */

const CHECK = /^\s*check\(\s*["']([\d.]+)["']/m;

export class Exercise {
  /** @param {Deck} deck */
  constructor(deck) {
    this.deck = deck;
  }

  get onSlide() {
    const { slides, slide, notebook, cells } = this.deck;
    return slides[slide].cells
      .map(({ index, step }) => ({ index, step, cell: /** @type {CodeCell} */ (notebook.widgets[index]), ...cells[index] }))
      .filter(({ markdown, cell }) => !markdown && cell.model.type === "code");
  }

  get stub() {
    return this.onSlide.find(({ tags }) => tags.includes("exercise"));
  }

  // Put the cursor into the exercise, or into the slide's only cell of code.
  edit() {
    const stub = this.stub ?? (this.onSlide.length === 1 ? this.onSlide[0] : null);
    if (!stub || stub.step > this.deck.step) return;
    this.deck.notebook.activeCellIndex = stub.index;
    this.deck.notebook.mode = "edit";
    stub.cell.editor?.focus();
  }

  // Run the cell with the focus, else the one last clicked, else the last one that is seen.
  async run() {
    const { deck } = this;
    const seen = this.onSlide.filter(({ step }) => step <= deck.step);
    const focused = seen.find(({ cell }) => cell.node.contains(document.activeElement));
    const active = seen.find(({ index }) => index === deck.notebook.activeCellIndex);
    const target = focused ?? active ?? seen.at(-1);
    if (!target) return;
    const after = this.onSlide.find(
      ({ index, source }) => index > target.index && CHECK.test(source),
    );
    const check = target.tags.includes("exercise") ? after : null;
    deck.takeKeys();
    if (check && check.step > deck.step) deck.go(deck.slide, check.step);
    await deck.runs.run([target.cell, check?.cell].filter(Boolean));
    (check ?? target).cell.outputArea.node.scrollIntoView({ block: "nearest" });
  }

  // Show what hint(...) or show_solution(...) says, over the slide.
  /** @param {"hint" | "show_solution"} what */
  async ask(what) {
    const number = this.onSlide.map(({ source }) => CHECK.exec(source)?.[1]).find(Boolean);
    if (!number) return;
    const { outputarea } = this.deck.tools;
    const { rendermime } = this.deck.notebook;
    const model = new outputarea.OutputAreaModel({ trusted: true });
    const area = new outputarea.SimplifiedOutputArea({ model, rendermime });
    this.close();
    this.box = element("div", "course-deck-answer", "", { role: "status" });
    this.area = area;
    this.box.append(area.node);
    this.deck.chrome.node.append(this.box);
    const code = `from course_utils.checks import ${what}\n${what}("${number}")`;
    const { OutputArea } = outputarea;
    await OutputArea.execute(code, area, this.deck.panel.sessionContext);
  }

  close() {
    if (!this.box) return false;
    this.box.remove();
    this.area.dispose();
    this.box = this.area = null;
    return true;
  }
}
