// What the deck draws around the slide: heading, footer, progress, banner, help, black screen.
import { HELP } from "./keys.js";

/** @import { Action } from "./keys.js" */
/** @import { Deck } from "./deck.js" */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} css
 * @param {string} text
 * @param {Record<string, string | number>} attributes
 */
export function element(tag, css, text = "", attributes = {}) {
  const node = Object.assign(document.createElement(tag), { className: css, textContent: text });
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

export class Chrome {
  /** @param {Deck} deck */
  constructor(deck) {
    this.node = element("div", "course-deck-chrome");
    this.heading = element("div", "course-deck-heading", "", { role: "heading", "aria-level": 1 });
    this.footer = element("div", "course-deck-footer");
    this.title = element("span", "course-deck-title");
    this.status = element("span", "course-deck-status", "", { role: "status" });
    this.number = element("span", "course-deck-number", "", { "aria-live": "polite" });
    this.progress = element("div", "course-deck-progress");
    this.banner = element("div", "course-deck-banner", "", { role: "alert" });
    this.help = makeHelp();
    this.black = element("div", "course-deck-black", "", { role: "img", "aria-label": "black" });
    this.black.addEventListener("click", () => deck.black());
    this.footer.append(this.title, this.status, this.buttons(deck), this.number);
    this.node.append(this.heading, this.footer, this.progress, this.banner, this.help, this.black);
    this.say("");
    this.toggleHelp(false);
    this.toggleBlack(false);
    document.body.append(this.node);
  }

  /** @param {Deck} deck */
  buttons(deck) {
    const row = element("span", "course-deck-buttons");
    /** @type {[string, string, Action][]} */
    const buttons = [
      ["‹", "Back (Page Up)", "back"],
      ["›", "Go on (Page Down)", "next"],
      ["Presenter", "Presenter's window (s)", "showPresenter"],
      ["?", "Keys (?)", "help"],
      ["✕", "Leave the slides (Escape)", "leave"],
    ];
    for (const [sign, says, action] of buttons) {
      const button = element("button", "", sign, { title: says, "aria-label": says, tabindex: -1 });
      button.addEventListener("mousedown", (event) => event.preventDefault()); // keeps the focus
      button.addEventListener("click", () => deck[action]());
      row.append(button);
    }
    return row;
  }

  /** @param {number} number @param {number} count @param {string} title */
  showPlace(number, count, title) {
    this.title.textContent = title;
    this.number.textContent = `${number} / ${count}`;
    this.progress.style.width = `${(100 * number) / count}%`;
  }

  /** @param {string} digits */
  showDigits(digits) {
    this.node.dataset.digits = digits;
  }

  /** @param {string} text */
  say(text) {
    if (this.banner.textContent !== text) this.banner.textContent = text;
    this.banner.hidden = !text;
  }

  /** @param {boolean} on */
  toggleHelp(on = Boolean(this.help.hidden)) {
    this.help.hidden = !on;
    return on;
  }

  /** @param {boolean} on */
  toggleBlack(on = Boolean(this.black.hidden)) {
    this.black.hidden = !on;
    return on;
  }

  remove() {
    this.node.remove();
  }
}

function makeHelp() {
  const box = element("div", "course-deck-help", "", { role: "dialog", "aria-label": "Keys" });
  const table = element("table", "");
  for (const [keys, does] of HELP) {
    const row = table.insertRow();
    row.append(element("th", "", keys, { scope: "row" }), element("td", "", does));
  }
  box.append(table);
  return box;
}
