// What the presenter should know about a slide, read from its cells.
//
// In a notes cell, a paragraph or list item that begins with **Ask:** is the question before the
// next step, **See:** is what the class should then see, **Minutes:** N plans the slide, as the
// words *N minutes.* at the start of a section do. Without them, the slide's own prediction is the
// question, and what its hidden steps print is what to see.

/** @import { Deck } from "./deck.js" */
/** @typedef {"notes" | "ask" | "see" | "skipped"} Drawer of the presenter's window */
/** @import { CellText, Slide } from "./slides.js" */
/** @import { Cell } from "@jupyterlab/cells" */

const MINUTES = /\*\*Minutes:\*\*\s*(\d+)|^\*(\d+) minutes?\.\*/gm;
const WHOLE = /(\d+) minutes/;
const SHORT = /(\d+) without/; // exercises
const QUESTION = /^\s*(your )?prediction\b/i;

/** @param {Deck} deck @param {number} slide */
export function readNotes(deck, slide) {
  const { aside, cells } = deck.slides[slide];
  /** @type {Record<Drawer, Element[]>} */
  const found = { notes: [], ask: [], see: [], skipped: [] };
  for (const index of aside) {
    const blocks = blocksOf(deck.notebook.widgets[index]);
    if (deck.cells[index].kind === "skip") found.skipped.push(...blocks);
    else for (const block of blocks) found[drawerOf(block)]?.push(block);
  }
  if (!found.ask.length)
    for (const { index } of cells)
      found.ask.push(...blocksOf(deck.notebook.widgets[index]).filter(asks));
  if (!found.see.length)
    for (const { index, step } of cells)
      if (step > deck.step) found.see.push(...printedBy(deck.notebook.widgets[index]));
  if (!found.see.length && found.ask.length)
    for (const { index } of deck.slides[slide + 1]?.cells ?? [])
      found.see.push(...printedBy(deck.notebook.widgets[index]));
  return { ...found, ...minutesOf(deck, slide) };
}

// The planned minutes of this version, and those up to the end of this section (null: nobody planned).
// A section's minutes count its exercises: the short version takes its share of them.
/** @param {{ slides: Slide[], cells: CellText[], short?: boolean }} lecture @param {number} slide */
export function minutesOf({ slides, cells, short = false }, slide) {
  const notesOf = (/** @type {Slide} */ { aside }) => aside.filter((index) => cells[index].kind === "notes");
  const own = slides.map((each) =>
    [...each.cells.map(({ index }) => index), ...notesOf(each)]
      .filter((index) => cells[index].markdown)
      .flatMap((index) => [...cells[index].source.matchAll(MINUTES)])
      .reduce((sum, [, a, b]) => sum + Number(a ?? b), 0),
  );
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((a, b) => a + b, 0);
  const [first] = slides.flatMap(notesOf);
  const said = first === undefined ? null : (short ? SHORT : WHOLE).exec(cells[first].source);
  const planned = said ? Number(said[1]) : sum(own) || null;
  const share = short ? planned / sum(own) : 1;
  return {
    planned,
    plannedHere: sum(own) ? Math.round(share * sum(own.slice(0, slide + 1))) : null,
  };
}

/** @param {Element} block @returns {Drawer | null} null for what is only counted */
function drawerOf(block) {
  const lead = block.querySelector("strong:first-child")?.textContent ?? "";
  if (lead === "Minutes:") return null;
  if (lead === "Ask:") return "ask";
  return lead === "See:" ? "see" : "notes";
}

/** @param {Element} block */
function asks(block) {
  return [...block.querySelectorAll("strong")].some((node) => QUESTION.test(node.textContent));
}

// The paragraphs of a text cell as copies; quotes, lists and folds are opened. Nobody reads code aloud.
/** @param {Cell} cell @returns {Element[]} */
function blocksOf(cell) {
  const rendered = cell.node.querySelector(".jp-RenderedMarkdown");
  /** @type {(node: Element) => Element[]} */
  const open = (node) =>
    node.matches("blockquote, ul, details") ? [...node.children].flatMap(open) : [/** @type {Element} */ (node.cloneNode(true))];
  const blocks = [...(rendered?.children ?? [])].flatMap(open).filter((node) => !node.matches("summary"));
  for (const block of blocks)
    for (const link of block.querySelectorAll(".jp-InternalAnchorLink")) link.remove();
  return blocks;
}

/** @param {Cell} cell */
function printedBy(cell) {
  return [...cell.node.querySelectorAll(".jp-OutputArea-output")]
    .filter((output) => !output.querySelector(".course-explorer, img, svg, .course-prediction, .course-guess"))
    .map((output) => /** @type {Element} */ (output.cloneNode(true)));
}
