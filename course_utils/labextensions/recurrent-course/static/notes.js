// What the presenter should know about a slide, read from its cells.
//
// In a notes cell, a paragraph or list item that begins with **Ask:** is the question before the
// next step, **See:** is what the class should then see, **Minutes:** N plans the slide, as the
// words *N minutes.* at the start of a section do. Without them, the slide's own prediction is the
// question, and what its hidden steps print is what to see.

const MINUTES = /\*\*Minutes:\*\*\s*(\d+)|^\*(\d+) minutes?\.\*/gm;
const WHOLE = /(\d+) minutes/;
const QUESTION = /^\s*(your )?prediction\b/i;

export function readNotes(deck, slide) {
  const { aside, cells } = deck.slides[slide];
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
  return { ...found, ...minutesOf(deck, slide) };
}

// The lecture's planned minutes, and those up to the end of this section (null: nobody planned).
function minutesOf({ slides, cells }, slide) {
  const notesOf = ({ aside }) => aside.filter((index) => cells[index].kind === "notes");
  const own = slides.map((each) =>
    [...each.cells.map(({ index }) => index), ...notesOf(each)]
      .filter((index) => cells[index].markdown)
      .flatMap((index) => [...cells[index].source.matchAll(MINUTES)])
      .reduce((sum, [, a, b]) => sum + Number(a ?? b), 0),
  );
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const [first] = slides.flatMap(notesOf);
  const whole = first === undefined ? null : WHOLE.exec(cells[first].source);
  return {
    planned: whole ? Number(whole[1]) : sum(own) || null,
    plannedHere: sum(own) ? sum(own.slice(0, slide + 1)) : null,
  };
}

function drawerOf(block) {
  const lead = block.querySelector("strong:first-child")?.textContent ?? "";
  if (lead === "Minutes:") return "minutes";
  return { "Ask:": "ask", "See:": "see" }[lead] ?? "notes";
}

function asks(block) {
  return [...block.querySelectorAll("strong")].some((node) => QUESTION.test(node.textContent));
}

// The paragraphs of a text cell as copies; quotes and lists are opened. Code says what it is.
function blocksOf(cell) {
  if (cell.model.type === "code")
    return [Object.assign(document.createElement("pre"), { textContent: cell.model.sharedModel.getSource() })];
  const rendered = cell.node.querySelector(".jp-RenderedMarkdown");
  const open = (node) =>
    node.matches("blockquote, ul") ? [...node.children].flatMap(open) : [node.cloneNode(true)];
  const blocks = [...(rendered?.children ?? [])].flatMap(open);
  blocks.forEach((block) =>
    block.querySelectorAll(".jp-InternalAnchorLink").forEach((link) => link.remove()),
  );
  return blocks;
}

function printedBy(cell) {
  return [...cell.node.querySelectorAll(".jp-OutputArea-output")]
    .filter((output) => !output.querySelector(".course-explorer, img, svg"))
    .map((output) => output.cloneNode(true));
}
