// The deck: shows a notebook's own cells as slides, where they live, so that widgets, editors and
// outputs stay the same ones. Nothing of the notebook is copied and nothing in it is changed.
import { Chrome } from "./chrome.js";
import { Exercise } from "./exercise.js";
import { Fit } from "./fit.js";
import { Keys } from "./keys.js";
import { recall, remember } from "./memory.js";
import { Presenter } from "./presenter.js";
import { cellsOf, hasHeading, makeSlides, shorten } from "./slides.js";
import { Vote } from "./vote.js";

/** @import { Cell } from "@jupyterlab/cells" */
/** @import { IDocumentManager } from "@jupyterlab/docmanager" */
/** @import { NotebookPanel } from "@jupyterlab/notebook" */
/** @import { PanelLayout } from "@lumino/widgets" */
/** @import { Place } from "./memory.js" */
/** @import { Runs } from "./runs.js" */
/** @import { Untouched } from "./untouched.js" */
/**
 * @typedef {object} Tools
 * @property {typeof import("@jupyterlab/outputarea")} outputarea
 * @property {typeof import("@jupyterlab/services").ServerConnection} ServerConnection
 * @property {IDocumentManager} documents
 * @property {() => void} save
 */

const ZOOM_STEP = 1.1;
const LONGEST_SHOW = 6 * 3600e3; // milliseconds; a clock that is older is of another day
const PAGE = 0.8; // of what is seen, which one key goes on by on a slide that was enlarged
const FOCUSABLE = [
  ".cm-content[contenteditable=true]",
  "[tabindex='0']:not(.jp-Cell, .jp-Notebook, .jp-WindowedPanel-outer)",
  ...["input", "select", "button", "a[href]", "summary"].map((tag) => `${tag}:not([disabled])`),
].join();

export class Deck {
  /**
   * @param {NotebookPanel} panel
   * @param {Runs} runs
   * @param {Untouched} untouched
   * @param {Tools} tools
   * @param {() => void} onLeave
   */
  constructor(panel, runs, untouched, tools, onLeave) {
    this.panel = panel;
    this.runs = runs;
    this.untouched = untouched;
    this.tools = tools;
    this.onLeave = onLeave;
    this.notebook = panel.content;
    this.path = panel.context.path;
    /** @type {HTMLElement} */
    this.area = panel.node.querySelector(".jp-WindowedPanel-outer");
  }

  /** @param {Partial<Place>} place */
  open({ slide = 0, step = 0, zoom = 1, started = 0, short = false } = {}) {
    this.short = short;
    this.config = this.notebook.notebookConfig;
    this.notebook.notebookConfig = { ...this.config, windowingMode: "none" };
    this.started = Date.now() - started < LONGEST_SHOW ? started : Date.now();
    this.untouched.showBegins();
    this.autosave = this.tools.documents.autosave;
    this.tools.documents.autosave = false; // on the wall, whoever types decides what is kept: Ctrl+S
    this.fit = new Fit(this.area);
    this.fit.zoom = zoom;
    this.chrome = new Chrome(this);
    this.exercise = new Exercise(this);
    this.presenter = new Presenter(this);
    this.voting = new Vote(this);
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
    this.untouched.showEnds();
    this.tools.documents.autosave = this.autosave;
    this.keys.detach();
    this.presenter.close();
    this.exercise.close();
    this.voting.stop();
    this.openCode(false);
    for (const cell of this.notebook.widgets) cell.syncCollapse = true;
    this.chrome.remove();
    this.fit.forget();
    document.body.classList.remove("course-presenting");
    this.panel.removeClass("course-deck-panel");
    for (const cell of this.notebook.widgets)
      cell.node.classList.remove("course-on", "course-later", "course-past", "course-lifted", "course-quiet", "course-book");
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
      const nodes = changes.map(({ target }) => (target instanceof Element ? target : target.parentElement));
      if (nodes.some((node) => node && this.matters(node))) this.refit();
    });
    this.mutations.observe(this.area, { childList: true, characterData: true, subtree: true });
    this.loaded = (/** @type {Event} */ { target }) =>
      this.matters(/** @type {Element} */ (target)) && this.refit();
    this.area.addEventListener("load", this.loaded, true);
    window.addEventListener("resize", this.refit);
    this.stopped = (/** @type {Event} */ event) => event.stopPropagation();
    this.pressed = (/** @type {Event} */ event) => {
      // opens a text cell for writing
      const target = /** @type {Element} */ (event.target);
      if (!target.closest(".cm-editor, .jupyter-widgets")) event.stopPropagation();
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
  /** @param {Element} node */
  matters(node) {
    if (!node.closest(".course-on") || node.closest(".cm-editor")) return false;
    return !node.closest(".course-explorer") || !this.fit.fits;
  }

  renumber() {
    this.go(this.slide, this.step);
  }

  /** @param {number} slide @param {number} step */
  go(slide, step) {
    const before = { slide: this.slide, step: this.step };
    this.cells = cellsOf(this.notebook);
    const whole = makeSlides(this.cells);
    this.slides = this.short ? shorten(whole, this.cells) : whole;
    this.slide = Math.max(0, Math.min(slide, this.slides.length - 1));
    this.step = Math.max(0, Math.min(step, this.slides[this.slide].steps));
    const { slide: s, step: at, fit, started, short } = this;
    remember(this.path, { presenting: true, slide: s, step: at, zoom: fit.zoom, started, short });
    this.offered = 0;
    this.chrome.toggleBlack(false);
    this.exercise.close();
    this.voting.hide();
    this.openCode(false);
    this.show();
    this.area.scrollTop = 0;
    const isStep = this.slide === before.slide && this.step !== before.step;
    if (!isStep || !this.fit.stands) this.lay();
    this.report();
  }

  // JupyterLab draws the cells of a long notebook when it is idle, and a lecture that runs keeps it
  // busy: a jump would find nothing. So do what it would do, in order, up to this slide.
  attach() {
    const last = this.slides[this.slide].cells.at(-1).index;
    const layout = /** @type {PanelLayout} */ (this.notebook.layout);
    this.notebook.widgets.slice(0, last + 1).forEach((cell, index) => {
      if (!cell.isPlaceholder()) return;
      cell.node.dataset.windowedListIndex = String(index);
      layout.insertWidget(index, cell);
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
    const title = this.short ? `${this.lectureTitle} (short version)` : this.lectureTitle;
    this.chrome.showPlace(this.slide + 1, this.slides.length, title);
  }

  // Code of an earlier step that has shown its result; what somebody wrote stays.
  /** @param {number} index @param {number | undefined} step */
  isDone(index, step) {
    const { markdown, tags } = this.cells[index];
    return !markdown && step < this.step && !tags.includes("exercise");
  }

  // A slide's own heading, or the one of its section; a stub goes on with the exercise before it.
  /** @param {number} slide @returns {(Node | string)[]} */
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
    const copy = /** @type {Element} */ (rendered.cloneNode(true));
    for (const link of copy.querySelectorAll(".jp-InternalAnchorLink")) link.remove();
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
  /** @param {number | undefined} slide */
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
    /** @type {Set<Cell>} */
    const pending = new Set(runs.pending);
    this.chrome.status.textContent = pending.size ? `running, ${pending.size} to go` : "";
    for (const cell of this.notebook.widgets)
      cell.node.classList.toggle("course-running", pending.has(cell));
    this.chrome.say(
      lost
        ? `The kernel was restarted: ${lost} cells up to here must run again. Press r, or the clicker's start button, to run them.`
        : failed >= 0
          ? `A cell stopped with an error${this.placeOf(failed)}. Press r to run again from there.`
          : offered
            ? `Enter goes back to slide ${offered + 1}, where you were.`
            : "",
    );
    this.presenter.update();
  }

  /** @param {number} index */
  placeOf(index) {
    const slide = this.slides.findIndex(
      ({ cells, aside }) => cells.some((cell) => cell.index === index) || aside.includes(index),
    );
    return slide < 0 ? "" : ` (slide ${slide + 1})`;
  }

  // ---- what keys and buttons do

  next() {
    if (this.lift() || this.scroll(1)) return;
    if (this.step < this.slides[this.slide].steps) this.go(this.slide, this.step + 1);
    else if (this.slide + 1 < this.slides.length) this.go(this.slide + 1, 0);
    else return;
    this.voting.cameOut();
  }

  back() {
    if (this.voting.back() || this.lift() || this.scroll(-1)) return;
    if (this.step > 0) this.go(this.slide, this.step - 1);
    else if (this.slide > 0) this.go(this.slide - 1, Infinity);
  }

  first() {
    this.go(0, 0);
  }

  last() {
    this.go(Infinity, Infinity);
  }

  /** @param {number} slide */
  goTo(slide) {
    this.go(slide, 0);
  }

  // What covers the slide goes first.
  lift() {
    if (!this.chrome.black.hidden) this.black();
    else if (!this.chrome.help.hidden) this.help();
    else return this.voting.lift() || this.exercise.close();
    return true;
  }

  black() {
    this.chrome.toggleBlack();
    this.presenter.update();
  }

  help() {
    this.chrome.toggleHelp();
  }

  // A clicker's start button sends F5, then Escape: the second press ends the full screen only.
  leave() {
    if (this.lift()) return;
    if (document.fullscreenElement) document.exitFullscreen();
    else this.onLeave();
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

  /** @param {number} zoom */
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

  vote() {
    this.voting.start();
  }

  join() {
    this.voting.join();
  }

  // On a slide that somebody enlarged, the keys that go on first reach what lies below.
  /** @param {number} by */
  scroll(by) {
    if (this.fit.zoom <= 1) return false;
    const before = this.area.scrollTop;
    this.area.scrollTop += by * PAGE * this.area.clientHeight;
    return this.area.scrollTop !== before;
  }

  // The other version, at the same cell, or at the last one before it that both show.
  shorter() {
    const [{ index }] = this.slides[this.slide].cells;
    this.short = !this.short;
    const whole = makeSlides(this.cells);
    const slides = this.short ? shorten(whole, this.cells) : whole;
    this.go(slides.findLastIndex(({ cells }) => cells[0].index <= index), 0);
  }

  restartClock() {
    this.started = Date.now();
    remember(this.path, { started: this.started });
    this.presenter.update();
  }

  code() {
    this.openCode(!this.area.classList.contains("course-code"));
    this.lay();
  }

  // Code that keeps books is folded, as on the page; nothing of it is written to the notebook.
  /** @param {boolean} isOpen */
  openCode(isOpen) {
    this.area.classList.toggle("course-code", isOpen);
    for (const cell of this.notebook.widgets)
      if (cell.model.getMetadata("jupyter")?.source_hidden) {
        const isShown = isOpen && cell.node.classList.contains("course-on");
        cell.syncCollapse = false; // or the notebook would take it for the author's wish
        cell.inputHidden = !isShown;
        cell.node.classList.toggle("course-book", !isShown);
      }
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

  /** @param {string} digits */
  showDigits(digits) {
    this.chrome.showDigits(digits);
  }

  // The keys go to the deck again.
  takeKeys() {
    this.notebook.mode = "command";
    /** @type {HTMLElement} */ (document.activeElement)?.blur();
  }

  focusNext() {
    this.moveFocus(1);
  }

  focusBack() {
    this.moveFocus(-1);
  }

  /** @param {number} by */
  moveFocus(by) {
    /** @type {NodeListOf<HTMLElement>} */
    const focusable = this.area.querySelectorAll(FOCUSABLE);
    const stops = [...focusable].filter(
      (node) =>
        node.tabIndex >= 0 &&
        node.closest(".course-on:not(.course-later)") &&
        node.checkVisibility({ visibilityProperty: true }),
    );
    if (!stops.length) return;
    const at = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const to = at < 0 ? (by > 0 ? 0 : -1) : (at + by) % stops.length;
    stops.at(to).focus();
  }

  // An arrow key at the edge of a cell would carry the cursor into a cell that nobody sees.
  /** @param {unknown} _ @param {Cell | null} cell */
  keepFocus(_, cell) {
    if (cell && this.notebook.mode === "edit" && !cell.node.classList.contains("course-on"))
      this.notebook.mode = "command";
  }

  dialogIsOpen() {
    return Boolean(document.querySelector(".jp-Dialog"));
  }

  // A clicker may close what JupyterLab only wants to have said: that a dead kernel starts again.
  answerNotice() {
    /** @type {NodeListOf<HTMLElement>} */
    const found = document.querySelectorAll(".jp-Dialog .jp-Dialog-button");
    const [button, ...others] = found;
    if (!button || others.length) return false;
    button.click();
    return true;
  }
}

// A section's minutes, with the paragraph where they are all that it says.
/** @param {Element} minutes */
function hide(minutes) {
  const paragraph = minutes.parentElement;
  const alone = paragraph.textContent.trim() === minutes.textContent;
  (alone ? paragraph : minutes).classList.add("course-minutes");
}

// One call whose result says more than its code does.
/** @param {string} source */
function onlyShows(source) {
  return /^(show|predict|explore_\w+)\((?:.*|\n[ )])*$/.test(source.trim());
}

// Where the show was, when it was on before the page was loaded anew.
/** @param {string} path */
export function placeToResume(path) {
  const memory = recall(path);
  return memory.presenting ? memory : null;
}
