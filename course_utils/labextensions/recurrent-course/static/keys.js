// The keys of the deck. While slides are shown no other shortcut of JupyterLab can be reached:
// what is not listed here goes nowhere, except what a cell or a control needs while it has the
// focus. Page Up, Page Down and the period come from clickers.

/** @import { Deck } from "./deck.js" */
/**
 * @typedef {{ [K in keyof Deck]: Deck[K] extends () => void ? K : never }[keyof Deck]} Action
 * a method of the deck that a key or a button can call
 */

export const HELP = [
  ["Space, → ↓, Page Down", "go on"],
  ["Shift+Space, ← ↑, Page Up", "go back"],
  ["Home, End", "first, last slide"],
  ["a number, then Enter", "go to that slide"],
  [". or b", "black screen"],
  ["+ − 0, also with Ctrl", "larger, smaller, back to the best fit"],
  ["s", "presenter's window"],
  ["Tab", "next control or cell; Escape gives the keys back"],
  ["Enter", "write in the exercise on the slide"],
  ["Shift+Enter, Ctrl+Enter", "run the cell, and its check"],
  ["v, j", "on a prediction: let the room vote, and again; how to join"],
  ["c", "open what code is folded on the slide, and fold it"],
  ["e", "the short version, without exercises, and the whole one"],
  ["h, a", "hint, answer for the exercise"],
  ["r", "run the lecture again up to here"],
  ["f, a clicker's start", "full screen; after a restart: run again"],
  ["? ", "these keys"],
  ["Escape", "leave the slides"],
];

/** @type {Record<string, Action>} */
const GO = {
  " ": "next",
  ArrowRight: "next",
  ArrowDown: "next",
  PageDown: "next",
  n: "next",
  ArrowLeft: "back",
  ArrowUp: "back",
  PageUp: "back",
  Backspace: "back",
  p: "back",
  Home: "first",
  End: "last",
  ".": "black",
  b: "black",
  s: "showPresenter",
  c: "code",
  e: "shorter",
  v: "vote",
  j: "join",
  h: "hint",
  a: "answer",
  r: "rerun",
  f: "fullscreen",
  F5: "startButton", // of a clicker
  "?": "help",
  Escape: "leave",
  "+": "larger",
  "=": "larger",
  "-": "smaller",
};
/** @type {Record<string, Action>} */
const ZOOM = { "+": "larger", "=": "larger", "-": "smaller", 0: "natural" };
const OF_BROWSER = /^(r|R|w|t|n|l|q|Tab|F\d+|PageUp|PageDown)$/; // with Ctrl or Cmd
const OF_EDITOR = /^(a|c|v|x|y|z|Z|s|\/|\[|\]|Arrow\w+|Home|End|Backspace|Delete| )$/; // with Ctrl
const OF_CLICKER = ["PageDown", "PageUp", "F5", ".", "b"];
const PRESSED = "button, a, summary, [role=button]";
const CHOSEN = "input[type=radio], input[type=checkbox]";
const TEXT = "input:not([type=checkbox],[type=range],[type=radio]), textarea";

export class Keys {
  /** @param {Deck} deck */
  constructor(deck) {
    this.deck = deck;
    this.digits = "";
    /** @type {Element | null} */
    this.clicked = null; // what the mouse gave the focus to: it is done with, and wants no keys
    this.listen = (/** @type {KeyboardEvent} */ event) => this.onKey(event);
    // the focus has moved when all that a click does is done: a label hands it on
    this.noteClick = () => setTimeout(() => (this.clicked = document.activeElement));
    this.attach(window);
    window.addEventListener("click", this.noteClick, true);
  }

  /** @param {Window} where */
  attach(where) {
    where.addEventListener("keydown", this.listen, true);
  }

  detach() {
    window.removeEventListener("keydown", this.listen, true);
    window.removeEventListener("click", this.noteClick, true);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { key } = event;
    const modified = event.ctrlKey || event.metaKey;
    if (["Shift", "Control", "Alt", "Meta", "AltGraph"].includes(key)) return;
    if (key === "Tab") this.clicked = null;
    if (this.deck.dialogIsOpen()) {
      if (!OF_CLICKER.includes(key) || !this.deck.answerNotice()) return;
      event.preventDefault();
      return event.stopImmediatePropagation();
    }
    const focus = event.view?.document.activeElement ?? document.activeElement;
    const action = this.meaning(event, focus);
    if (action === "browser") return event.stopImmediatePropagation();
    if (action === "theirs") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (/^\d$/.test(key) && !modified) this.digits += key;
    else {
      const digits = this.digits;
      this.digits = "";
      if (action === "enter" && digits) this.deck.goTo(Number(digits) - 1);
      else if (action) this.deck[action]();
    }
    this.deck.showDigits(this.digits);
  }

  // Name what a key does: a method of the deck, "theirs" for who has the focus, or nothing.
  /**
   * @param {KeyboardEvent} event
   * @param {Element} focus
   * @returns {Action | "theirs" | "browser" | null | undefined}
   */
  meaning(event, focus) {
    const { key } = event;
    const modified = event.ctrlKey || event.metaKey;
    if (modified && key in ZOOM) return ZOOM[key];
    if (key === "Enter" && (event.shiftKey || modified)) return "runCell";
    const owner = ownerOf(focus);
    if (key === "Enter" && this.digits) return "enter";
    if (owner && key === "Escape")
      return focus.closest(".cm-editor") && document.querySelector(".jp-Completer:not(.lm-mod-hidden)")
        ? "theirs"
        : "takeKeys";
    if (!modified && (key === "PageDown" || key === "PageUp")) return GO[key];
    if (modified || event.altKey) {
      if (owner === "text" && !event.altKey && OF_EDITOR.test(key)) return "theirs";
      if (owner && event.altKey && event.getModifierState("AltGraph")) return "theirs";
      if (key === "s") return "save";
      return OF_BROWSER.test(key) ? "browser" : null;
    }
    if (key === "F11" || key === "F12") return "browser";
    if (key === "Tab") return owner === "text" ? "theirs" : event.shiftKey ? "focusBack" : "focusNext";
    if (owner === "text" || (owner && this.isOfControl(event, focus))) return "theirs";
    if (key === "Enter") return "enter";
    if (key === " " && event.shiftKey) return "back";
    return GO[key];
  }

  // A slider wants arrows; a button or a choice that was clicked, not reached by keys, wants nothing.
  /** @param {KeyboardEvent} event @param {Element} focus */
  isOfControl(event, focus) {
    if (/^(F5|\.|[a-z?+=-])$/.test(event.key) && !focus.matches("select")) return false;
    if (focus === this.clicked && focus.matches(`${PRESSED}, ${CHOSEN}`)) return false;
    return !focus.matches(PRESSED) || event.key === " " || event.key === "Enter";
  }
}

// "text" or "control" where the focus is in something on the slide that reads keys.
/** @param {Element} focus */
function ownerOf(focus) {
  if (!focus?.closest?.(".course-deck-panel, .course-deck-chrome")) return null;
  if (focus.closest(".cm-editor") || focus.matches(TEXT) || /** @type {HTMLElement} */ (focus).isContentEditable) return "text";
  return focus.matches("input, select, button, a, summary, [role=slider], [role=button], [tabindex='0']") &&
    !focus.matches(".jp-Notebook, .jp-Cell, .jp-WindowedPanel-outer")
    ? "control"
    : null;
}
