// Words anywhere in a picture, in the pictures' own font: the twin of matplotlib's Text, with what
// plots/scene/letters.py tells of the font.
/**
 * @typedef {{ em: number, line: [number, number], gap: number, joined: Record<string, string>, wide: Record<string, string>,
 *   tall: Record<string, string>, closer: Record<string, string> }} Letters
 * @typedef {"plain" | "bold" | "slanted"} FaceName
 * @typedef {object} Face
 * @property {(letter: string) => boolean} knows
 * @property {number} gap between two lines
 * @property {(text: string) => { width: number, up: number, down: number }} measure in parts of the font's size
 *
 * @typedef {{ x: number, y: number, size: number, fill: string, ha?: "left" | "center" | "right",
 *   va?: "center" | "bottom" | "top", angle?: number, style?: string }} Lettering
 */
const UNBROKEN = "\u00a0"; // as wide as a space
const MET = /ff[il]?|f[il]/g;
const [SMALL, PLAIN, TITLE] = [12, 13, 14].map((points) => (points * 100) / 72); // sizes in pixels
const BOLD = ' font-weight="bold"';
const ABOVE = 0.03; // of its height, from an Axes to its headline

/** @type {Map<FaceName, Face>} */
const faces = new Map();

// Return a face of the font; its letters are read at the first word in it.
/** @param {FaceName} name */
function face(name) {
  if (!faces.has(name)) faces.set(name, faceOf(/** @type {any} */ (window).course.letters[name]));
  return faces.get(name);
}

/** @param {Letters} letters @returns {Face} */
function faceOf({ em, line, gap, joined, wide, tall, closer }) {
  const byLetter = (/** @type {Record<string, string>} */ groups) =>
    new Map(Object.entries(groups).flatMap(([said, all]) => [...all].map((letter) => /** @type {[string, string]} */ ([letter, said]))));
  const [widths, reaches] = [byLetter(wide), byLetter(tall)];
  const pairs = new Map(Object.entries(closer).flatMap(([by, all]) => all.match(/../gsu).map((pair) => /** @type {[string, number]} */ ([pair, Number(by)]))));
  const measure = (/** @type {string} */ text) => {
    let [width, up, down] = [0, ...line];
    let before = "";
    for (const letter of text.replaceAll(UNBROKEN, " ").replace(MET, (met) => joined[met])) {
      width += Number(widths.get(letter) ?? 0.6 * em) + (pairs.get(before + letter) ?? 0);
      const reach = reaches.get(letter)?.split(" ").map(Number) ?? line;
      [up, down] = [Math.max(up, reach[0]), Math.max(down, reach[1])];
      before = letter;
    }
    return { width: width / em, up: up / em, down: down / em };
  };
  return { knows: (letter) => widths.has(letter), gap: gap / em, measure };
}

// Return a line of words where it belongs.
/** @param {Face} face @param {Lettering} at @param {string} text */
function lettered(face, { x, y, size, fill, ha = "left", va = "center", angle = 0, style = "" }, text) {
  if (!text) return "";
  const measured = face.measure(text);
  const [width, up, down] = [measured.width * size, measured.up * size, measured.down * size];
  const along = -{ left: 0, center: width / 2, right: width }[ha];
  const below = { center: (up - down) / 2, bottom: -down, top: up }[va]; // the baseline
  const [sine, cosine] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
  const [left, base] = [x + along * cosine + below * sine, y - along * sine + below * cosine];
  const seven = (/** @type {number} */ value) => String(Number(value.toPrecision(7)));
  const place = angle ? ` transform="translate(${seven(left)} ${seven(base)})rotate(${-angle})"` : ` x="${short(left)}" y="${short(base)}"`;
  const length = [...text].length > 1 ? ` textLength="${short(width)}"` : "";
  const spaces = text.includes("  ") || text !== text.trim() ? ' style="white-space:pre"' : "";
  return `<text fill="${fill}"${style}${place} font-size="${short(size)}"${length}${spaces}>${escaped(text)}</text>`;
}

// Return the line above an Axes that says what is seen.
/** @param {Chart} chart @param {string} fill @param {string} text */
function titled({ axes: [{ box: [left, top, , height] }] }, fill, text) {
  return lettered(face("bold"), { x: left, y: top - ABOVE * height, size: TITLE, fill, va: "bottom", style: BOLD }, text);
}

// Return parts by the names of what moves.
/** @param {string[]} parts */
const moving = (parts) => Object.fromEntries(parts.map((part, n) => [`moving${n}`, part]));

// Return a function that remembers what it last gave, for the words that it gave it for.
/** @template T @param {(words: string[]) => T} find @returns {(words: string[]) => T} */
function lastOf(find) {
  /** @type {string | undefined} */
  let asked;
  /** @type {T} */
  let found;
  return (words) => {
    const now = words.join("\n");
    if (now !== asked) found = find(words);
    asked = now;
    return found;
  };
}
