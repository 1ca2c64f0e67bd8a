// The presenter's window, for a second screen: what to say, what the slides leave out, what comes
// next, and the time. The page with the slides fills it; a reload of that page finds it again.
import { element } from "./chrome.js";
import { recall, remember } from "./memory.js";
import { minutesOf, readNotes } from "./notes.js";
import { roomView } from "./room_view.js";
import { hasHeading } from "./slides.js";

/** @import { Deck } from "./deck.js" */
/** @import { Drawer } from "./notes.js" */
/** @import { Cell } from "@jupyterlab/cells" */

/** @type {Drawer[]} */
const DRAWERS = ["notes", "ask", "see", "skipped"];
const NAME = "course-presenter";
const SHAPE = "popup,width=1100,height=760";

export class Presenter {
  /** @param {Deck} deck */
  constructor(deck) {
    this.deck = deck;
    this.roomSays = "";
  }

  show() {
    this.attach(window.open("", NAME, SHAPE));
  }

  // After a reload, without a click: only a window that is still there.
  reopen() {
    if (recall(this.deck.path).presenter) this.attach(window.open("", NAME, SHAPE));
  }

  /** @param {Window | null} opened */
  attach(opened) {
    if (!opened) return this.deck.chrome.say("The browser blocked the presenter's window: allow pop-ups here.");
    this.window = opened;
    const page = opened.document;
    page.title = `Presenter: ${this.deck.lectureTitle}`;
    page.head.replaceChildren(...styles(page));
    page.body.replaceChildren();
    for (const { name, value } of document.body.attributes)
      if (name.startsWith("data-jp-theme")) page.body.setAttribute(name, value);
    page.body.className = "course-presenter";
    this.make(page);
    this.deck.keys.attach(opened);
    opened.addEventListener("pagehide", () => this.lost());
    this.tick = setInterval(() => this.showTime(), 1000);
    remember(this.deck.path, { presenter: true });
    this.update();
    opened.focus();
  }

  /** @param {Document} page */
  make(page) {
    const left = element("main", "");
    /** @type {(css: string, heading: string, column?: HTMLElement) => HTMLElement} */
    const part = (css, heading, column = left) => {
      const section = element("section", css);
      const body = element("div", "course-presenter-body jp-RenderedHTMLCommon");
      section.append(element("h2", "", heading), body);
      column.append(section);
      return body;
    };
    this.time = element("header", "course-presenter-time");
    this.again = element("button", "again", "clock from 0", { type: "button" });
    this.again.addEventListener("click", () => this.deck.restartClock());
    page.body.append(this.time);
    this.notes = part("course-presenter-notes", "Say", page.body);
    page.body.append(left);
    this.room = part("course-presenter-room", "The room");
    this.roomSays = "";
    this.now = part("course-presenter-now", "On the wall");
    this.ask = part("course-presenter-ask", "Ask before you go on");
    this.see = part("course-presenter-see", "The class should see");
    this.skipped = part("course-presenter-skipped", "Not on the slides");
    this.next = part("course-presenter-next", "Next", page.body);
  }

  update() {
    if (!this.window || this.window.closed) return;
    const { deck } = this;
    const notes = readNotes(deck, deck.slide);
    for (const name of DRAWERS) {
      this[name].replaceChildren(...notes[name]);
      this[name].parentElement.hidden = !notes[name].length;
    }
    this.showRoom();
    this.showNow();
    this.showNext();
    this.showTime();
  }

  // What the wall does not show: how the room answers while it does, and what it asks.
  showRoom() {
    const { voting } = this.deck;
    const { state } = voting.room;
    const says = JSON.stringify([state, voting.phase, voting.hasAsked]);
    this.room.parentElement.hidden = !state;
    if (says === this.roomSays) return; // its buttons stay
    this.roomSays = says;
    if (state) this.room.replaceChildren(...roomView(state, voting));
  }

  // What the class has before its eyes, for who stands with the back to the wall.
  showNow() {
    const { deck } = this;
    const seen = deck.slides[deck.slide].cells.filter(({ step }) => step <= deck.step);
    this.now.replaceChildren(...this.asSlide(deck.slide, seen.map(({ index }) => index)));
  }

  showNext() {
    const { deck } = this;
    const more = deck.step < deck.slides[deck.slide].steps;
    const slide = more ? deck.slide : deck.slide + 1;
    const coming = (deck.slides[slide]?.cells ?? []).filter(
      ({ step }) => !more || step === deck.step + 1,
    );
    const indices = coming.map(({ index }) => index);
    this.next.previousSibling.textContent = more ? "Next on this slide" : "Next slide";
    if (more) this.next.replaceChildren(...indices.map((index) => preview(deck.notebook.widgets[index])));
    else if (indices.length) this.next.replaceChildren(...this.asSlide(slide, indices));
    else this.next.textContent = "This is the last slide.";
  }

  // The slide's heading, once, and copies of these cells.
  /** @param {number} slide @param {number[]} indices @returns {Element[]} */
  asSlide(slide, indices) {
    const { deck } = this;
    const heading = element("h3", "");
    heading.append(...deck.headingOf(slide).map((node) => (node instanceof Node ? node.cloneNode(true) : node)));
    const copies = indices.map((index) => preview(deck.notebook.widgets[index]));
    const [{ index: first }] = deck.slides[slide].cells;
    if (first === indices[0] && hasHeading(deck.cells[first])) copies[0].querySelector("h1, h2, h3")?.remove();
    return [heading, ...copies];
  }

  showTime() {
    if (!this.window || this.window.closed) return;
    const { deck } = this;
    const { planned, plannedHere } = minutesOf(deck, deck.slide);
    const minutes = Math.floor((Date.now() - deck.started) / 60000);
    const isLate = minutes > (plannedHere || planned || Infinity);
    const clock = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const shown = [
      [clock, "clock"],
      [planned ? `${minutes} of ${planned} min` : `${minutes} min`, isLate ? "elapsed late" : "elapsed"],
      [plannedHere ? `this section until minute ${plannedHere}` : "", "plan"],
      [`${deck.slide + 1} / ${deck.slides.length}`, "slide"],
      [deck.chrome.black.hidden ? "" : "black", "black"],
      [deck.chrome.status.textContent, "status"],
    ];
    this.time.replaceChildren(
      ...shown.filter(([text]) => text).map(([text, css]) => element("span", css, text)),
      this.again,
    );
  }

  lost() {
    clearInterval(this.tick);
    this.window = null;
    remember(this.deck.path, { presenter: false });
  }

  close() {
    const { window: opened } = this;
    if (!opened) return;
    this.lost();
    opened.close();
  }
}

// The page's own look, as rules: what scripts put into a style sheet is not in its text.
/** @param {Document} page */
function styles(page) {
  const base = page.createElement("base");
  base.href = document.baseURI;
  const sheets = [...document.styleSheets, ...document.adoptedStyleSheets];
  return [base, ...sheets.map(copyOf)];
}

/** @param {CSSStyleSheet} sheet */
function copyOf(sheet) {
  if (sheet.href) return element("link", "", "", { rel: "stylesheet", href: sheet.href });
  return element("style", "", [...sheet.cssRules].map((rule) => rule.cssText).join("\n"));
}

// A cell as it looks, but dead: its text, or its code and what it shows.
/** @param {Cell} cell */
function preview(cell) {
  const copy = element("div", "course-presenter-cell");
  if (cell.model.type !== "code") {
    const rendered = cell.node.querySelector(".jp-RenderedMarkdown");
    if (rendered) copy.append(rendered.cloneNode(true));
    return copy;
  }
  // folded code stays folded, and a call that only shows something is not seen on the wall either
  if (!cell.model.getMetadata("jupyter")?.source_hidden && !cell.node.classList.contains("course-quiet"))
    copy.append(element("pre", "", cell.model.sharedModel.getSource()));
  for (const output of cell.node.querySelectorAll(".jp-OutputArea-output"))
    copy.append(output.cloneNode(true));
  /** @type {NodeListOf<HTMLElement>} */
  const controls = copy.querySelectorAll("button, input, select, [tabindex]");
  for (const control of controls) control.inert = true;
  return copy;
}
