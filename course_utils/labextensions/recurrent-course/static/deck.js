// The deck: shows a notebook's own cells as slides, where they live, so that widgets, editors and
// outputs stay the same ones. Nothing of the notebook is copied and nothing in it is changed.
import { Chrome } from "./chrome.js";
import { Exercise } from "./exercise.js";
import { Fit } from "./fit.js";
import { Keys } from "./keys.js";
import { recall, remember } from "./memory.js";
import { Presenter } from "./presenter.js";
import { cellsOf, hasHeading, makeSlides } from "./slides.js";

const ZOOM_STEP = 1.1;
const FOCUSABLE = [
  ".cm-content[contenteditable=true]",
  "[tabindex='0']:not(.jp-Cell, .jp-Notebook, .jp-WindowedPanel-outer)",
  ...["input", "select", "button", "a[href]", "summary"].map((tag) => `${tag}:not([disabled])`),
].join();

export class Deck {
  constructor(panel, runs, tools, onLeave) {
    Object.assign(this, { panel, runs, tools, onLeave });
    this.notebook = panel.content;
    this.path = panel.context.path;
    this.area = panel.node.querySelector(".jp-WindowedPanel-outer");
  }

  open({ slide = 0, step = 0, zoom = 1, started = Date.now() } = {}) {
    this.config = this.notebook.notebookConfig;
    this.notebook.notebookConfig = { ...this.config, windowingMode: "none" };
    this.started = started;
    this.fit = new Fit(this.panel.node, this.area);
    this.fit.zoom = zoom;
    this.chrome = new Chrome(this);
    this.exercise = new Exercise(this);
    this.presenter = new Presenter(this);
    this.keys = new Keys(this);
    document.body.classList.add("course-presenting");
    this.panel.addClass("course-deck-panel");
    this.watch();
    this.takeKeys();
    this.go(slide, step);
    this.presenter.reopen();
  }

  close() {
    this.unwatch();
    this.keys.detach();
    this.presenter.close();
    this.exercise.close();
    this.chrome.remove();
    this.fit.forget();
    document.body.classList.remove("course-presenting");
    this.panel.removeClass("course-deck-panel");
    for (const cell of this.notebook.widgets)
      cell.node.classList.remove("course-on", "course-later", "course-past", "course-lifted", "course-quiet");
    for (const said of this.area.querySelectorAll(".course-minutes"))
      said.classList.remove("course-minutes");
    remember(this.path, { presenting: false });
    if (this.panel.isDisposed) return;
    this.notebook.notebookConfig = this.config;
    const first = this.slides[this.slide]?.cells[0].index ?? 0;
    this.notebook.activeCellIndex = first;
    this.notebook.scrollToItem(first, "start").catch(() => {}); // the panel may be going away
  }

  // Everything that may change what is on the slide, or how much room there is.
  watch() {
    this.refit = () => {
      cancelAnimationFrame(this.frame);
      this.frame = requestAnimationFrame(() => this.lay());
    };
    this.mutations = new MutationObserver((changes) => {
      // a letter that changed may have left the page by now: then it is nobody's
      const nodes = changes.map(({ target }) => (target.closest ? target : target.parentElement));
      if (nodes.some((node) => node && this.matters(node))) this.refit();
    });
    this.mutations.observe(this.area, { childList: true, characterData: true, subtree: true });
    this.loaded = ({ target }) => this.matters(target) && this.refit();
    this.area.addEventListener("load", this.loaded, true);
    window.addEventListener("resize", this.refit);
    this.stopped = (event) => event.stopPropagation();
    this.pressed = (event) => {
      // opens a text cell for writing
      if (!event.target.closest(".cm-editor, .jupyter-widgets")) event.stopPropagation();
    };
    this.panel.node.addEventListener("dblclick", this.pressed, true);
    this.panel.node.addEventListener("contextmenu", this.stopped, true);
    this.runs.changed = () => this.report();
    this.notebook.activeCellChanged.connect(this.keepFocus, this);
    this.notebook.model.cells.changed.connect(this.renumber, this);
  }

  unwatch() {
    cancelAnimationFrame(this.frame);
    this.mutations.disconnect();
    this.area.removeEventListener("load", this.loaded, true);
    window.removeEventListener("resize", this.refit);
    this.panel.node.removeEventListener("dblclick", this.pressed, true);
    this.panel.node.removeEventListener("contextmenu", this.stopped, true);
    this.runs.changed = () => {};
    this.notebook.activeCellChanged.disconnect(this.keepFocus, this);
    this.notebook.model?.cells.changed.disconnect(this.renumber, this);
  }

  // A picture that answers its slider, and a cell in which somebody writes, keep their size while
  // they fit: nothing should jump under the hand.
  matters(node) {
    if (!node.closest(".course-on") || node.closest(".cm-editor")) return false;
    return !node.closest(".course-explorer") || !this.fit.fits;
  }

  renumber() {
    this.go(this.slide, this.step);
  }

  go(slide, step) {
    this.cells = cellsOf(this.notebook);
    this.slides = makeSlides(this.cells);
    this.slide = Math.max(0, Math.min(slide, this.slides.length - 1));
    this.step = Math.max(0, Math.min(step, this.slides[this.slide].steps));
    const { slide: s, step: at, fit, started } = this;
    remember(this.path, { presenting: true, slide: s, step: at, zoom: fit.zoom, started });
    this.offered = null;
    this.chrome.toggleBlack(false);
    this.exercise.close();
    this.show();
    this.area.scrollTop = 0;
    this.lay();
    this.report();
  }

  // JupyterLab draws the cells of a long notebook when it is idle, and a lecture that runs keeps it
  // busy: a jump would find nothing. So do what it would do, in order, up to this slide.
  attach() {
    const last = this.slides[this.slide].cells.at(-1).index;
    this.notebook.widgets.slice(0, last + 1).forEach((cell, index) => {
      if (!cell.isPlaceholder()) return;
      cell.node.dataset.windowedListIndex = index;
      this.notebook.layout.insertWidget(index, cell);
    });
  }

  show() {
    this.attach();
    const steps = new Map(this.slides[this.slide].cells.map(({ index, step }) => [index, step]));
    const first = this.slides[this.slide].cells[0].index;
    this.notebook.widgets.forEach((cell, index) => {
      const { classList } = cell.node;
      classList.toggle("course-on", steps.has(index));
      classList.toggle("course-later", (steps.get(index) ?? 0) > this.step);
      classList.toggle("course-past", this.isDone(index, steps.get(index)));
      classList.toggle("course-lifted", index === first && hasHeading(this.cells[index]));
      classList.toggle("course-quiet", onlyShows(this.cells[index].source));
    });
    for (const said of this.area.querySelectorAll(".course-on .jp-RenderedMarkdown > p > em:first-child"))
      if (/^\d+ minutes?\.$/.test(said.textContent)) hide(said);
    this.chrome.heading.replaceChildren(...this.headingOf(this.slide));
    this.chrome.showPlace(this.slide + 1, this.slides.length, this.lectureTitle);
  }

  // Code of an earlier step that has shown its result; what somebody wrote stays.
  isDone(index, step) {
    const { markdown, tags } = this.cells[index];
    return !markdown && step < this.step && !tags.includes("exercise");
  }

  // A slide's own heading, or the one of its section; a stub goes on with the exercise before it.
  headingOf(slide) {
    const { cells, section } = this.slides[slide];
    const [{ index }] = cells;
    if (!hasHeading(this.cells[index])) {
      const isStub = cells.some((cell) => this.cells[cell.index].tags.includes("exercise"));
      if (slide && isStub) return this.headingOf(slide - 1);
      return section === slide ? [this.lectureTitle] : this.headingOf(section);
    }
    const rendered = this.notebook.widgets[index].node.querySelector(
      ".jp-RenderedMarkdown :is(h1, h2, h3)",
    );
    if (!rendered) return [this.cells[index].source.split("\n")[0].replace(/^#+\s*/, "")];
    const copy = rendered.cloneNode(true);
    copy.querySelectorAll(".jp-InternalAnchorLink").forEach((link) => link.remove());
    return [...copy.childNodes];
  }

  get lectureTitle() {
    const title = this.cells.find((cell) => cell.markdown && /^# /.test(cell.source));
    return title ? title.source.split("\n")[0].slice(2) : this.path.split("/").at(-1);
  }

  lay() {
    this.fit.run();
    this.presenter.update();
  }

  // Somebody who comes back may want the slide where they left.
  offer(slide) {
    if (!slide) return;
    this.offered = slide;
    this.report();
  }

  // Say what the kernel does, and what to do when it lost everything.
  report() {
    const { runs } = this;
    const here = this.slides[this.slide].cells.at(-1).index;
    const lost = runs.restarted ? runs.stale(here).length : 0;
    const { offered } = this;
    const failed = runs.failed ? this.notebook.widgets.indexOf(runs.failed) : -1;
    this.needsRun = lost > 0 || failed >= 0;
    this.chrome.status.textContent = runs.pending.length ? `running, ${runs.pending.length} to go` : "";
    this.notebook.widgets.forEach((cell) =>
      cell.node.classList.toggle("course-running", runs.pending.includes(cell)),
    );
    this.chrome.say(
      lost
        ? `The kernel was restarted: ${lost} cells up to here have to run again. Press r, or a clicker's start, to run them.`
        : failed >= 0
          ? `A cell stopped with an error${this.placeOf(failed)}. Press r to run again from there.`
          : offered
            ? `Enter goes back to slide ${offered + 1}, where you were.`
            : "",
    );
    this.presenter.update();
  }

  placeOf(index) {
    const slide = this.slides.findIndex(
      ({ cells, aside }) => cells.some((cell) => cell.index === index) || aside.includes(index),
    );
    return slide < 0 ? "" : ` (slide ${slide + 1})`;
  }

  // ---- what keys and buttons do

  next() {
    if (this.lift()) return;
    if (this.step < this.slides[this.slide].steps) this.go(this.slide, this.step + 1);
    else if (this.slide + 1 < this.slides.length) this.go(this.slide + 1, 0);
  }

  back() {
    if (this.lift()) return;
    if (this.step > 0) this.go(this.slide, this.step - 1);
    else if (this.slide > 0) this.go(this.slide - 1, Infinity);
  }

  first() {
    this.go(0, 0);
  }

  last() {
    this.go(Infinity, Infinity);
  }

  goTo(slide) {
    this.go(slide, 0);
  }

  // What covers the slide goes first.
  lift() {
    if (!this.chrome.black.hidden) return this.black(), true;
    if (!this.chrome.help.hidden) return this.help(), true;
    return this.exercise.close();
  }

  black() {
    this.chrome.toggleBlack();
    this.presenter.update();
  }

  help() {
    this.chrome.toggleHelp();
  }

  leave() {
    if (!this.lift()) this.onLeave();
  }

  larger() {
    this.setZoom(this.fit.zoom * ZOOM_STEP);
  }

  smaller() {
    this.setZoom(this.fit.zoom / ZOOM_STEP);
  }

  natural() {
    this.setZoom(1);
  }

  setZoom(zoom) {
    this.fit.zoom = Math.abs(zoom - 1) < 0.01 ? 1 : Math.max(0.4, Math.min(zoom, 4));
    remember(this.path, { zoom: this.fit.zoom });
    this.lay();
  }

  // What a clicker's start button sends: first of all what the banner asks for.
  startButton() {
    if (this.needsRun) this.rerun();
    else this.fullscreen();
  }

  fullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen();
  }

  rerun() {
    this.runs.catchUp();
    this.report();
  }

  save() {
    this.tools.save();
  }

  hint() {
    this.exercise.ask("hint");
  }

  answer() {
    this.exercise.ask("show_solution");
  }

  runCell() {
    this.exercise.run();
  }

  enter() {
    if (this.offered) return this.go(this.offered, 0);
    this.exercise.edit();
  }

  showPresenter() {
    this.presenter.show();
  }

  showDigits(digits) {
    this.chrome.showDigits(digits);
  }

  // The keys go to the deck again.
  takeKeys() {
    this.notebook.mode = "command";
    document.activeElement?.blur();
  }

  focusNext() {
    this.moveFocus(1);
  }

  focusBack() {
    this.moveFocus(-1);
  }

  moveFocus(by) {
    const stops = [...this.area.querySelectorAll(FOCUSABLE)].filter(
      (node) =>
        node.tabIndex >= 0 &&
        node.closest(".course-on:not(.course-later)") &&
        node.checkVisibility({ visibilityProperty: true }),
    );
    if (!stops.length) return;
    const at = stops.indexOf(document.activeElement);
    const to = at < 0 ? (by > 0 ? 0 : -1) : (at + by) % stops.length;
    stops.at(to).focus();
  }

  // An arrow key at the edge of a cell would carry the cursor into a cell that nobody sees.
  keepFocus(_, cell) {
    if (cell && this.notebook.mode === "edit" && !cell.node.classList.contains("course-on"))
      this.notebook.mode = "command";
  }

  dialogIsOpen() {
    return Boolean(document.querySelector(".jp-Dialog"));
  }
}

// A section's minutes, with the paragraph where they are all that it says.
function hide(minutes) {
  const paragraph = minutes.parentElement;
  const alone = paragraph.textContent.trim() === minutes.textContent;
  (alone ? paragraph : minutes).classList.add("course-minutes");
}

// One call whose result says more than its code does.
function onlyShows(source) {
  return /^(show|predict|explore_\w+)\((?:.*|\n[ )])*$/.test(source.trim());
}

// Where the show was, when it was on before the page was loaded anew.
export function placeToResume(path) {
  const memory = recall(path);
  return memory.presenting ? memory : null;
}
