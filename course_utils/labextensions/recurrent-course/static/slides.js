// Which cells make which slide, and what belongs to it that only the presenter sees.
// course_utils/authoring/slides.py knows the same rules for the printed notes.

const HEADING = /^#{1,3}\s/;
const OPENS = ["slide", "subslide"];

// cells: [{ kind, source, markdown }]; a kind that is missing or "-" goes on with the slide before.
// Returns [{ cells: [{ index, step }], steps, aside: [index], section: index of a slide }]
export function makeSlides(cells) {
  const slides = [];
  const early = []; // what stands before the first slide belongs to it
  let section = 0;
  cells.forEach(({ kind }, index) => {
    if (kind === "notes" || kind === "skip") {
      (slides.at(-1)?.aside ?? early).push(index);
    } else if (OPENS.includes(kind) || !slides.length) {
      if (kind !== "subslide") section = slides.length;
      slides.push({ cells: [{ index, step: 0 }], steps: 0, aside: early.splice(0), section });
    } else {
      const slide = slides.at(-1);
      if (kind === "fragment") slide.steps += 1;
      slide.cells.push({ index, step: slide.steps });
    }
  });
  return slides;
}

export function hasHeading(cell) {
  return cell.markdown && HEADING.test(cell.source);
}

export function cellsOf(notebook) {
  return notebook.widgets.map(({ model }) => ({
    kind: model.getMetadata("slideshow")?.slide_type ?? null,
    source: model.sharedModel.getSource(),
    markdown: model.type === "markdown",
    tags: model.getMetadata("tags") ?? [],
  }));
}
