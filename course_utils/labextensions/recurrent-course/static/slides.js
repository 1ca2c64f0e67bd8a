// Which cells make which slide, and what belongs to it that only the presenter sees.
// course_utils/pages/slides.py knows the same rules for the printed notes.

const HEADING = /^#{1,3}\s/;
const OPENS = ["slide", "subslide"];
const EXERCISE = /^### Exercise/;
const TAKEAWAY = "**In one sentence.**";
const ASKS = /^(predict|explore_\w+)\(/; // comes with the words that ask: a question alone is no slide

/**
 * @typedef {object} CellText
 * @property {string | null} kind of a slide; one that is missing or "-" goes on with the slide before
 * @property {string} source
 * @property {boolean} markdown
 * @property {string[]} tags
 */
/**
 * @typedef {object} Slide
 * @property {{ index: number, step: number }[]} cells
 * @property {number} steps
 * @property {number[]} aside cells that only the presenter sees
 * @property {number} section index of a slide
 */

/** @param {CellText[]} cells */
export function makeSlides(cells) {
  /** @type {Slide[]} */
  const slides = [];
  /** @type {number[]} */
  const early = []; // what stands before the first slide belongs to it
  let section = 0;
  cells.forEach(({ kind, source }, index) => {
    if (kind === "notes" || kind === "skip") {
      (slides.at(-1)?.aside ?? early).push(index);
    } else if (OPENS.includes(kind) || !slides.length) {
      if (kind !== "subslide") section = slides.length;
      slides.push({ cells: [{ index, step: 0 }], steps: 0, aside: early.splice(0), section });
    } else {
      const slide = slides.at(-1);
      const isAsked = ASKS.test(source) && slide.cells.every((cell) => cells[cell.index].markdown);
      if (kind === "fragment" && !isAsked) slide.steps += 1;
      slide.cells.push({ index, step: slide.steps });
    }
  });
  return slides;
}

// The slides of the short version: without exercises, and of an optional section only what opens it.
// Every sentence to take away stays: it moves to the slide before. The words of a section that opens
// with an exercise move to its next slide.
/** @param {Slide[]} slides @param {CellText[]} cells */
export function shorten(slides, cells) {
  /** @type {Slide[]} */
  const kept = [];
  let section = 0;
  let isOptional = false;
  /** @type {Slide["cells"]} */
  let opening = [];
  slides.forEach((slide, number) => {
    const own = slide.cells.map(({ index }) => cells[index]);
    if (slide.section === number) isOptional = own[0].tags.includes("optional");
    const isExercise = EXERCISE.test(own[0].source) || own.some(({ tags }) => tags.includes("exercise"));
    if (kept.length && (isExercise || isOptional)) {
      if (slide.section === number && isOptional)
        kept.push({ ...slide, cells: [slide.cells[0]], steps: 0, section: kept.length });
      else if (slide.section === number && !EXERCISE.test(own[0].source)) opening = [slide.cells[0]];
      const last = kept.at(-1);
      for (const { index } of slide.cells)
        if (cells[index].source.startsWith(TAKEAWAY)) last.cells.push({ index, step: ++last.steps });
      return;
    }
    if (slide.section === number) opening = []; // that section was exercises alone
    if (slide.section === number || opening.length) section = kept.length;
    const later = slide.cells.map(({ index, step }) => ({ index, step: step + opening.length }));
    kept.push({ ...slide, cells: [...opening, ...later], steps: slide.steps + opening.length, section });
    opening = [];
  });
  return kept;
}

/** @param {CellText} cell */
export function hasHeading(cell) {
  return cell.markdown && HEADING.test(cell.source);
}

/**
 * @param {import("@jupyterlab/notebook").Notebook} notebook
 * @returns {CellText[]}
 */
export function cellsOf(notebook) {
  return notebook.widgets.map(({ model }) => ({
    kind: model.getMetadata("slideshow")?.slide_type ?? null,
    source: model.sharedModel.getSource(),
    markdown: model.type === "markdown",
    tags: model.getMetadata("tags") ?? [],
  }));
}
