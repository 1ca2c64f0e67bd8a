// Make a slide as large as it fits: one number t moves the size of the type and of the pictures
// together, then whatever room is left goes to the pictures, then to the type.

// pixels, that the last row can read: the type, the letters in pictures; less where a slide is too full
/** @type {Range[]} */
const LEASTS = [[24, 20], [24, 16.5], [20, 16.5]];
const MOST_TEXT = 38; // on a screen 720 pixels high
const MOST_ALONE = 52; // of a question that has the slide to itself
const TYPE_IN_PICTURE = 16.7; // the smallest, in pixels, where a picture has its own size
const MOST_PICTURE = 2.2; // times its own size, on a screen of 1280 x 720
const SMALLEST_PICTURE = 0.5; // before the slide begins to scroll
const TEXT_TO_CODE = 1.6; // more would look like two slides
const ROUNDS = 6; // to a quarter of a pixel of type
const LEAST_FILLED = 0.4; // of the height, before what comes later makes room
const WIDE = "table, mjx-container > mjx-math, mjx-container > svg";
const TALL = ".jp-OutputArea-output, .jp-InputArea-editor, .course-numbers";
export const PICTURES = ".course-picture, .jp-RenderedImage img, .jp-RenderedSVG svg";

// For a slide that is too full, one after the other: less air between lines; no code above its
// picture; the code of a step makes room when the next step comes.
const MEANS = ["course-tight", "course-folded", "course-stepwise"];
const ALONE = "course-alone"; // what is seen has the slide to itself

// What does not wrap gets a size of its own: at most this share of the text's, and never wider
// than the slide.
/** @typedef {{ share: number, parts: string, width(part: HTMLElement, size: number): number }} Lines */
/** @typedef {[least: number, most: number]} Range */

/** @type {Record<string, Lines>} */
const LINES = {
  code: { share: 0.85, parts: ".cm-line", width: lineWidth },
  print: { share: 0.85, parts: ".jp-OutputArea-output pre", width: ownLine },
  formula: { share: 1.15, parts: "mjx-container[display=true]", width: formulaWidth },
};

export class Fit {
  /** @param {HTMLElement} area */
  constructor(area) {
    this.area = area; // what the slide must fit
    /** @type {HTMLElement} */
    this.sheet = area.querySelector(".jp-WindowedPanel-viewport"); // carries the sizes, as CSS variables
    this.zoom = 1;
    /** @type {Record<string, number>} */
    this.widest = {};
    /** @type {Record<string, number>} */
    this.sizes = {};
  }

  // What of the slide is meant, and not of the whole lecture: it is asked for with every size tried.
  /** @param {string} selector @returns {HTMLElement[]} */
  all(selector) {
    const cells = [...this.sheet.querySelectorAll(":scope > .course-on")];
    return cells.flatMap((cell) => {
      /** @type {NodeListOf<HTMLElement>} */
      const found = cell.querySelectorAll(selector);
      return [...found];
    });
  }

  get pictures() {
    return this.all(PICTURES).filter((picture) => picture.clientWidth);
  }

  get fits() {
    const { area, sheet } = this;
    if (sheet.getBoundingClientRect().height > area.clientHeight + 0.5) return false;
    const { right } = area.getBoundingClientRect();
    return this.all(`${WIDE}, ${PICTURES}`).every(
      (part) => part.getBoundingClientRect().right <= right + 1,
    );
  }

  // How large the smallest picture is shown, in its own sizes.
  get shown() {
    return Math.min(...this.pictures.map((p) => p.getBoundingClientRect().width / ownWidth(p)));
  }

  /** @param {number} text @param {number} picture @param {string} [layout] */
  set(text, picture, layout) {
    if (layout) this.sheet.dataset.layout = layout;
    this.text = text;
    this.picture = picture;
    const { style } = this.sheet;
    style.setProperty("--deck-text", `${text}px`);
    style.setProperty("--deck-picture", String(picture));
    const least = this.least * Math.min(1, text / this.least); // below only when zoomed out
    style.setProperty("--deck-least", `${least}px`);
    // a line that cannot wrap may be as small as all is where a slide is too full
    const narrow = Math.min(least, (least * this.fullest) / this.least);
    for (const [name, { share }] of Object.entries(LINES)) {
      const size = Math.min(share * text, this.widest[name] ?? Infinity);
      this.sizes[name] = Math.max(narrow, size);
      style.setProperty(`--deck-${name}`, `${this.sizes[name]}px`);
    }
  }

  // Find the sizes for what is on the slide now. The steps to come keep their room, so that nothing
  // jumps; but a question on an empty wall is laid out for itself.
  run() {
    this.release();
    this.findSizes();
    if (!this.isEmpty) return;
    this.release();
    this.area.classList.add(ALONE);
    this.findSizes();
  }

  // Whether the sizes are right for another step of the slide, too: it kept its room for it.
  get stands() {
    const { classList } = this.area;
    if (classList.contains(ALONE) || classList.contains(MEANS.at(-1)) || this.isEmpty) return false;
    return this.fits && !this.sheet.querySelector(".course-long");
  }

  get isEmpty() {
    if (!this.sheet.querySelector(":scope > .course-on.course-later")) return false;
    /** @type {NodeListOf<HTMLElement>} */
    const seen = this.sheet.querySelectorAll(":scope > .course-on:not(.course-later)");
    const low = Math.max(...[...seen].map((cell) => cell.getBoundingClientRect().bottom));
    return low - this.area.getBoundingClientRect().top < LEAST_FILLED * this.area.clientHeight;
  }

  findSizes() {
    for (const picture of this.all(PICTURES))
      picture.style.setProperty("--own-width", `${ownWidth(picture)}px`);
    const unit = Math.min(innerWidth / 1280, innerHeight / 720);
    this.fullest = LEASTS.at(-1)[0] * Math.max(1, unit);
    const tries = this.pictures.length ? LEASTS : LEASTS.slice(1);
    let { best, text, picture } = this.searchLeast(tries[0], unit);
    for (const least of tries.slice(1)) {
      if (best.t >= 0) break;
      ({ best, text, picture } = this.searchLeast(least, unit));
    }
    if (best.t < 0) this.squeeze(text[0], picture[0]);
    else if (this.pictures.length) this.useTheRest(best, text[1], picture[1]);
    // enlarged, a picture is as wide as the wall at most: all of it can be scrolled to
    const layout = this.zoom > 1 ? "stacked" : undefined;
    this.least *= this.zoom;
    this.fullest *= this.zoom;
    if (this.zoom !== 1) this.set(this.text * this.zoom, this.picture * this.zoom, layout);
    if (!this.fits && this.zoom <= 1) this.squeezeTall();
    this.area.classList.toggle("course-scrolls", !this.fits);
  }

  // The same for a least size of the type and of the letters in pictures.
  /** @param {Range} least @param {number} unit */
  searchLeast([type, letters], unit) {
    const large = Math.max(1, unit);
    /** @type {Range} */
    const picture = [(letters / TYPE_IN_PICTURE) * large, MOST_PICTURE * unit];
    return { picture, ...this.searchFrom(type * large, picture) };
  }

  // Take every means for the sizes from this least one up.
  /** @param {number} least @param {Range} picture */
  searchFrom(least, picture) {
    this.area.classList.remove(...MEANS);
    this.least = least;
    this.measureLines();
    const widest = TEXT_TO_CODE * Math.max(least, this.widest.code);
    const most = this.area.classList.contains(ALONE) ? MOST_ALONE : MOST_TEXT;
    /** @type {Range} */
    const text = [least, Math.min((most * innerHeight) / 720, widest)];
    let best = this.searchAll(text, picture);
    for (const means of MEANS) {
      if (best.t >= 0) break;
      this.area.classList.add(means);
      best = this.searchAll(text, picture);
    }
    return { best, text };
  }

  // A full slide may also put the controls into a narrow column and the words below.
  get layouts() {
    if (!this.sheet.querySelector(".course-on .course-explorer")) return ["stacked"];
    const isFull = this.area.classList.contains(MEANS[0]);
    return isFull ? ["beside", "stacked", "narrow"] : ["beside", "stacked"];
  }

  /** @param {Range} text @param {Range} picture */
  searchAll(text, picture) {
    const [first, ...others] = this.layouts;
    return others.reduce((a, layout) => {
      const b = this.search(layout, text, picture, Math.max(a.t, 0)); // below, it has lost
      return b.t > a.t || (b.t === a.t && b.shown > a.shown) ? b : a;
    }, this.search(first, text, picture));
  }

  /** @param {string} layout @param {Range} text @param {Range} picture */
  search(layout, text, picture, from = 0) {
    const at = (/** @type {number} */ t, /** @type {Range} */ [least, most]) => least + t * Math.max(0, most - least);
    const fitsAt = (/** @type {number} */ t) => {
      this.set(at(t, text), at(t, picture), layout);
      return this.fits && this.shown >= picture[0] * 0.995;
    };
    const t = largest(from, 1, fitsAt);
    this.set(at(Math.max(t, 0), text), at(Math.max(t, 0), picture), layout);
    return { layout, t, text: this.text, picture: this.picture, shown: this.fits ? this.shown : 0 };
  }

  /**
   * @param {ReturnType<Fit["search"]>} found
   * @param {number} mostText
   * @param {number} mostPicture
   */
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
  /** @param {number} text @param {number} picture */
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
    const tall = this.all(TALL).filter(
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
    for (const [name, { parts, width }] of Object.entries(LINES)) {
      const size = this.sizes[name];
      const room = this.area.clientWidth - this.least;
      const lines = this.all(parts).filter((line) => line.clientWidth);
      const longest = Math.max(1, ...lines.map((line) => width(line, size)));
      const fitting = (size * room) / longest;
      // what would become too small wraps instead
      this.widest[name] = fitting < this.least * 0.999 && name === "print" ? Infinity : fitting;
    }
    this.area.classList.remove("course-measuring");
  }

  release() {
    this.area.classList.remove(...MEANS, ALONE, "course-scrolls");
    /** @type {NodeListOf<HTMLElement>} */
    const long = this.sheet.querySelectorAll(".course-long"); // of the slide before, too
    for (const part of long) {
      part.classList.remove("course-long");
      part.style.maxHeight = "";
    }
  }

  forget() {
    this.release();
    for (const name of ["text", "picture", "least", ...Object.keys(LINES)])
      this.sheet.style.removeProperty(`--deck-${name}`);
    delete this.sheet.dataset.layout;
  }
}

// The largest number from low to high that is good; `otherwise` when not even the lowest is.
/** @param {number} low @param {number} high @param {(size: number) => boolean} good */
export function largest(low, high, good, otherwise = -1) {
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

/** @param {HTMLElement} line */
function lineWidth(line) {
  const range = document.createRange();
  range.selectNodeContents(line);
  return range.getBoundingClientRect().width;
}

/** @param {HTMLElement} pre */
function ownLine(pre) {
  return pre.getBoundingClientRect().width; // while nothing wraps
}

// A formula with a number beside it fills its line, and says how much it needs.
/** @param {HTMLElement} formula @param {number} size */
function formulaWidth(formula, size) {
  const needed = parseFloat(formula.style.minWidth) * size;
  const math = formula.querySelector(":scope > mjx-math");
  return needed || math?.getBoundingClientRect().width || 0;
}

// How wide a picture wants to be on a page.
/** @param {HTMLElement} picture */
function ownWidth(picture) {
  const said = picture.getAttribute("width") ?? picture.style.maxWidth;
  if (parseFloat(said) && !said.endsWith("%")) return parseFloat(said);
  const { viewBox } = /** @type {Partial<SVGSVGElement>} */ (picture);
  const { naturalWidth } = /** @type {Partial<HTMLImageElement>} */ (picture);
  return viewBox?.baseVal.width || naturalWidth || 640;
}
