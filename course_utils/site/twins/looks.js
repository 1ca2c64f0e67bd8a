// Signs that change their look, and words: what explorers/machinery/looks.py tells of a drawing.
/**
 * @typedef {{ chart: Chart, looks: Record<string, Record<string, string>>, lettering: (Lettered | null)[] }} Looks
 * @typedef {Lettering & { face: FaceName }} Lettered
 * @typedef {{ look: string } | { text: string, fill?: string, face?: FaceName }} Sign
 */
const STYLES = { plain: "", bold: BOLD, slanted: ' font-style="italic"' };

// Return a function that gives the parts of a picture: for each moving artist a look, or words.
/** @param {Looks} data */
function drawnIn({ chart, looks, lettering }) {
  /** @param {(Sign | null)[]} shown */
  return (shown) => partsOf(chart, moving(shown.map((sign, n) => {
    if (!sign) return "";
    if ("look" in sign) return looks[sign.look][`moving${n}`];
    return written({ ...lettering[n], ...sign }, [sign.text]);
  })));
}

// Return lines of words below each other, as matplotlib writes a text.
/** @param {Lettered} at @param {string[]} lines */
function written(at, lines) {
  const { gap: between, measure } = face(at.face);
  const style = STYLES[at.face];
  const gap = lines.length > 1 ? between : 0;
  let { y } = at;
  const texts = lines.map((line) => {
    const { up, down } = measure(line);
    const one = lettered(face(at.face), { ...at, y: y + (at.size * gap) / 2, style }, line);
    y += at.size * (up + down + gap);
    return one;
  }).filter((text) => text);
  if (texts.length < 2) return texts.join("");
  const look = ` fill="${at.fill}"${style}`;
  return `<g${look}>${texts.map((text) => text.replace(look, "")).join("")}</g>`;
}

/** @param {string} text */
const wordsIn = (text) => text.split(/\s+/u).filter((word) => word);

// Return a text in two lines at most, each so many letters long: the twin of Python's textwrap.
/** @param {string} text @param {number} most */
function inTwoLines(text, most) {
  const size = (/** @type {string[]} */ words) => [...words.join(" ")].length;
  const left = wordsIn(text);
  const line = () => {
    const words = [left.shift()];
    while (left.length && size([...words, left[0]]) <= most) words.push(left.shift());
    return words;
  };
  if (!left.length) return [];
  const first = line();
  if (!left.length) return [first.join(" ")];
  const second = line();
  if (!left.length) return [first.join(" "), second.join(" ")];
  while (size([...second, "…"]) > most) second.pop();
  return [first.join(" "), [...second, "…"].join(" ")];
}
