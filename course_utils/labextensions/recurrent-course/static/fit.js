// Make a slide as large as it fits: one number t moves the size of the type and of the pictures
// together, then whatever room is left goes to the pictures, then to the type.

const LEAST_TEXT = 20; // pixels, that the last row can read
const MOST_TEXT = 38; // on a screen 720 pixels high
const TYPE_IN_PICTURE = 16.7; // the smallest, in pixels, where a picture has its own size
const LEAST_IN_PICTURE = 16.5;
const MOST_PICTURE = 2.2; // times its own size, on a screen of 1280 x 720
const SMALLEST_PICTURE = 0.5; // before the slide begins to scroll
const TEXT_TO_CODE = 1.6; // more would look like two slides
const ROUNDS = 7;
const WIDE = "table, mjx-container > mjx-math, mjx-container > svg";
const TALL = ".jp-OutputArea-output, .jp-InputArea-editor, .course-numbers";
export const PICTURES = ".course-picture, .jp-RenderedImage img, .jp-RenderedSVG svg";

// For a slide that is too full, one after the other: less air between lines; no code above its
// picture; the code of a step makes room when the next step comes.
const MEANS = ["course-tight", "course-folded", "course-stepwise"];

// What does not wrap gets a size of its own: at most this share of the text's, and never wider
// than the slide.
const LINES = {
  code: { share: 0.85, parts: ".cm-line", width: lineWidth },
  print: { share: 0.85, parts: ".jp-OutputArea-output pre", width: ownLine },
  formula: { share: 1.15, parts: "mjx-container[display=true]", width: formulaWidth },
};

export class Fit {
  constructor(node, area) {
    this.node = node; // carries the sizes, as CSS variables
    this.area = area; // what the slide must fit
    this.zoom = 1;
    this.widest = {};
  }

  get sheet() {
    return this.area.querySelector(".jp-WindowedPanel-viewport");
  }

  get pictures() {
    return [...this.sheet.querySelectorAll(PICTURES)].filter((picture) => picture.clientWidth);
  }

  get fits() {
    const { area, sheet } = this;
    if (sheet.getBoundingClientRect().height > area.clientHeight + 0.5) return false;
    const { right } = area.getBoundingClientRect();
    return [...sheet.querySelectorAll(`${WIDE}, ${PICTURES}`)].every(
      (part) => part.getBoundingClientRect().right <= right + 1,
    );
  }

  // How large the smallest picture is shown, in its own sizes.
  get shown() {
    return Math.min(...this.pictures.map((p) => p.getBoundingClientRect().width / ownWidth(p)));
  }

  set(text, picture, layout) {
    if (layout) this.node.dataset.layout = layout;
    this.text = text;
    this.picture = picture;
    const { style } = this.node;
    style.setProperty("--deck-text", `${text}px`);
    style.setProperty("--deck-picture", picture);
    const least = this.least * Math.min(1, text / this.least); // below only when zoomed out
    style.setProperty("--deck-least", `${least}px`);
    for (const [name, { share }] of Object.entries(LINES)) {
      const size = Math.min(share * text, this.widest[name] ?? Infinity);
      style.setProperty(`--deck-${name}`, `${Math.max(least, size)}px`);
    }
  }

  // Find the sizes for what is on the slide now.
  run() {
    this.release();
    this.node.classList.remove("course-zoomed");
    for (const picture of this.sheet.querySelectorAll(PICTURES))
      picture.style.setProperty("--own-width", `${ownWidth(picture)}px`);
    const unit = Math.min(innerWidth / 1280, innerHeight / 720);
    this.least = LEAST_TEXT * Math.max(1, unit);
    this.measureLines();
    const widest = TEXT_TO_CODE * Math.max(this.least, this.widest.code);
    const text = [this.least, Math.min((MOST_TEXT * innerHeight) / 720, widest)];
    const picture = [(LEAST_IN_PICTURE / TYPE_IN_PICTURE) * Math.max(1, unit), MOST_PICTURE * unit];
    let best = this.searchAll(text, picture);
    for (const means of MEANS) {
      if (best.t >= 0) break;
      this.area.classList.add(means);
      best = this.searchAll(text, picture);
    }
    if (best.t < 0) this.squeeze(text[0], picture[0]);
    else if (this.pictures.length) this.useTheRest(best, text[1], picture[1]);
    this.node.classList.toggle("course-zoomed", this.zoom > 1);
    if (this.zoom !== 1) this.set(this.text * this.zoom, this.picture * this.zoom);
    if (!this.fits) this.squeezeTall();
    this.area.classList.toggle("course-scrolls", !this.fits);
  }

  // A full slide may also put the controls into a narrow column and the words below.
  get layouts() {
    if (!this.sheet.querySelector(".course-on .course-explorer")) return ["stacked"];
    const isFull = this.area.classList.contains(MEANS[0]);
    return isFull ? ["beside", "stacked", "narrow"] : ["beside", "stacked"];
  }

  searchAll(text, picture) {
    return this.layouts
      .map((layout) => this.search(layout, text, picture))
      .reduce((a, b) => (b.t > a.t || (b.t === a.t && b.shown > a.shown) ? b : a));
  }

  search(layout, text, picture) {
    const at = (t, [least, most]) => least + t * Math.max(0, most - least);
    const fitsAt = (t) => {
      this.set(at(t, text), at(t, picture), layout);
      return this.fits && this.shown >= picture[0] * 0.995;
    };
    const t = largest(0, 1, fitsAt);
    this.set(at(Math.max(t, 0), text), at(Math.max(t, 0), picture), layout);
    return { layout, t, text: this.text, picture: this.picture, shown: this.fits ? this.shown : 0 };
  }

  useTheRest({ layout, text, picture }, mostText, mostPicture) {
    picture = largest(picture, mostPicture, (size) => {
      this.set(text, size, layout);
      return this.fits && this.shown >= size * 0.995; // no wider than the slide
    }, picture);
    text = largest(text, mostText, (size) => {
      this.set(size, picture);
      return this.fits && this.shown >= picture * 0.995;
    }, text);
    this.set(text, picture, layout);
  }

  // The smallest type does not fit: smaller pictures, before anything scrolls.
  squeeze(text, picture) {
    const tried = this.layouts.map((layout) => {
      const size = largest(SMALLEST_PICTURE, picture, (size) => {
        this.set(text, size, layout);
        return this.fits;
      });
      this.set(text, size < 0 ? picture : size, layout);
      return { layout, size: this.picture, shown: size < 0 ? 0 : this.shown };
    });
    const { size, layout } = tried.reduce((a, b) => (b.shown > a.shown ? b : a));
    this.set(text, size, layout);
  }

  // Long outputs scroll, the longest first.
  squeezeTall() {
    const tall = [...this.sheet.querySelectorAll(TALL)].filter(
      (part) => part.checkVisibility() && !part.querySelector(`${PICTURES}, .course-explorer`),
    );
    tall.sort((a, b) => b.clientHeight - a.clientHeight);
    for (const part of tall) {
      const over = this.sheet.getBoundingClientRect().height - this.area.clientHeight;
      if (over <= 0) return;
      const height = Math.max(part.clientHeight - over - 4, 4 * this.text);
      if (height >= part.clientHeight) continue;
      part.classList.add("course-long");
      part.style.maxHeight = `${height}px`;
    }
  }

  // The size at which the longest line of each kind is as wide as the slide.
  measureLines() {
    this.widest = {};
    this.set(this.least, 1);
    this.area.classList.add("course-measuring");
    for (const [name, { share, parts, width }] of Object.entries(LINES)) {
      const size = Math.max(share, 1) * this.least;
      const room = this.area.clientWidth - this.least;
      const lines = [...this.sheet.querySelectorAll(parts)].filter((line) => line.clientWidth);
      const longest = Math.max(1, ...lines.map((line) => width(line, size)));
      const fitting = (size * room) / longest;
      // what would become too small wraps instead
      this.widest[name] = fitting < this.least * 0.999 && name === "print" ? Infinity : fitting;
    }
    this.area.classList.remove("course-measuring");
  }

  release() {
    this.area.classList.remove(...MEANS, "course-scrolls");
    for (const part of this.sheet.querySelectorAll(".course-long")) {
      part.classList.remove("course-long");
      part.style.maxHeight = "";
    }
  }

  forget() {
    this.release();
    for (const name of ["text", "picture", "least", ...Object.keys(LINES)])
      this.node.style.removeProperty(`--deck-${name}`);
    delete this.node.dataset.layout;
    this.node.classList.remove("course-zoomed");
  }
}

// The largest number from low to high that is good; `otherwise` when not even the lowest is.
function largest(low, high, good, otherwise = -1) {
  if (!good(low)) return otherwise;
  if (high <= low) return low;
  if (good(high)) return high;
  for (let round = 0; round < ROUNDS; round++) {
    const middle = (low + high) / 2;
    if (good(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function lineWidth(line) {
  const range = document.createRange();
  range.selectNodeContents(line);
  return range.getBoundingClientRect().width;
}

function ownLine(pre) {
  return pre.getBoundingClientRect().width; // while nothing wraps
}

// A formula with a number beside it fills its line, and says how much it needs.
function formulaWidth(formula, size) {
  const needed = parseFloat(formula.style.minWidth) * size;
  const math = formula.querySelector(":scope > mjx-math");
  return needed || math?.getBoundingClientRect().width || 0;
}

// How wide a picture wants to be on a page.
function ownWidth(picture) {
  const said = picture.getAttribute("width") ?? picture.style.maxWidth;
  if (parseFloat(said) && !said.endsWith("%")) return parseFloat(said);
  return picture.viewBox?.baseVal.width || picture.naturalWidth || 640;
}
