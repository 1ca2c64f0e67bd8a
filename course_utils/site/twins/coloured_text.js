// A text coloured by any gate or state of the model of source code: the twin of
// explorers/characters/units.py and plots/characters/text.py.
/**
 * @typedef {{ WIDTH: number, COLUMNS: number, CELL: number, LINE: number, LEFT: number, TOP: number, MONO: string,
 *   LEVELS: number, BINS: number, MAP_AT: number, MAP_WIDTH: number }} TextPlaces
 * @typedef {{ text: string, sources: [string, string][], rows: number, bounded: string, at: TextPlaces, smallest: number,
 *   inks: { above: string, below: string, ink: string }, tints: string[] }} TextData
 * @typedef {{ name: string, headline: string, text: string[], values: number[], scale: number, at: number }} Coloured
 * @typedef {[number, number]} Row where a shown line begins and ends
 */
const SIGNS = { "\n": "↵", "\t": "→", " ": "\u00a0" };
const SAID_SIGNS = { "\n": "the end of the line", " ": "a space", "\t": "a tab" };
const NO_SHAPE = /[\p{C}\p{Z}\p{M}]/u;
const WIDE_SHAPE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60\uffe0-\uffe6]/u;
const MOST_READ = 4; // texts whose gates are kept

/** @param {TextData} data @param {Record<string, Model>} models */
function colouredText(data, { source_lstm: model }) {
  const layer = layerOf(model, "lstm");
  /** @type {Map<string, Values>} */
  const known = new Map();
  const read = (/** @type {string[]} */ letters) => {
    const text = letters.join("");
    const values = known.get(text) ?? trace(layer, embedded(model, letters));
    if (!known.has(text) && known.size === MOST_READ) known.delete(known.keys().next().value);
    return known.set(text, values).get(text);
  };
  /** @param {{ source: number, unit: number, at: number, own: string }} values */
  return (values) => {
    const typed = [...values.own].slice(0, 2000).join("").replaceAll("\\n", "\n").replaceAll("\\t", "\t");
    const text = [...(typed || data.text)];
    const [of, where] = data.sources[values.source];
    const numbers = columnOf(read(text)[of], layer.H, values.unit);
    const name = `${of}[${values.unit}]`;
    const scale = data.bounded.includes(of) ? 1 : Math.max(1e-3, quantile(numbers.map(Math.abs), 0.99));
    const seen = { name, headline: `${name}, ${where}`, text, values: numbers, scale, at: Math.min(values.at, text.length - 1) };
    const first = Math.max(0, seen.at - 20);
    const around = text.slice(first, first + 60).map((letter, n) => [first + n, signOf(letter), numbers[first + n]]);
    return {
      values, offers: {}, ...drawText(data, seen), words: textInWords(seen),
      table: { headers: ["place", "character", name], rows: around },
    };
  };
}

// Return the value below which such a share of the others lies, between two as numpy takes it.
/** @param {number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

/** @param {TextData} data @param {Coloured} seen */
function drawText(data, seen) {
  const { at, rows: most, smallest } = data;
  const rows = rowsOf(at, seen.text);
  const levels = seen.values.map((value) => {
    const share = value / (seen.scale || 1);
    return Math.sign(share) * Math.min(Math.max(Math.ceil(Math.abs(share) * at.LEVELS - 0.5), 0), at.LEVELS) + 0;
  });
  const own = Math.max(rows.findIndex(([, end]) => seen.at < end), 0);
  const first = Math.max(0, Math.min(own - Math.floor(most / 2) + 1, rows.length - most));
  const shown = rows.slice(first, first + most);
  const end = at.TOP + most * at.LINE;
  const marked = shown.findIndex(([start, stop]) => start <= seen.at && seen.at < stop);
  return {
    size: /** @type {[number, number]} */ ([at.WIDTH, Math.round(end + 44)]),
    ...keyed([
      lineOfText([plain(seen.headline)], at.LEFT, 26, "headline", { font_weight: "bold", font_size: smallest + 2 }),
      ...shown.flatMap((row, n) => paintRow(data, levels, row, n)),
      ...shown.map((row, n) => writeRow(data, seen.text, row, n)),
      ...(marked < 0 ? [] : [tag("rect", {
        x: at.LEFT + at.CELL * (seen.at - shown[marked][0]) - 1, y: at.TOP + at.LINE * marked, width: at.CELL + 2,
        height: at.LINE, fill: "none", stroke: data.inks.ink, stroke_width: 3, rx: 3, data_key: "mark",
      })]),
      ...wholeText(data, levels, rows, first),
      ...scaleOfColours(data, seen, end + 26),
    ]),
  };
}

// Return shapes by their keys, or by their places, in their order.
/** @param {string[]} elements */
function keyed(elements) {
  /** @type {Record<string, string>} */
  const parts = {};
  const order = elements.map((element, place) => {
    const key = / data-key="([^"]*)"/.exec(element)?.[1];
    const name = key && !(key in parts) ? key : String(place);
    parts[name] = element;
    return name;
  });
  return { parts, order };
}

// Return where each shown line begins and ends; a line that is too long continues below.
/** @param {TextPlaces} at @param {string[]} text */
function rowsOf({ COLUMNS }, text) {
  /** @type {Row[]} */
  const rows = [];
  let first = 0;
  for (let place = 0; place <= text.length; place++) {
    if (place < text.length && text[place] !== "\n") continue;
    for (let start = first; start < place + 1; start += COLUMNS) rows.push([start, Math.min(place + 1, start + COLUMNS)]);
    first = place + 1;
  }
  const last = rows.at(-1);
  last[1] = Math.min(last[1], text.length);
  return last[1] > last[0] || rows.length === 1 ? rows : rows.slice(0, -1);
}

/** @param {string} letter */
function signOf(letter) {
  const sign = SIGNS[/** @type {" "} */ (letter)];
  if (sign) return sign;
  return NO_SHAPE.test(letter) || WIDE_SHAPE.test(letter) ? "□" : letter;
}

// Return one rectangle for every run of equal colour, with its bar.
/** @param {TextData} data @param {number[]} levels @param {Row} row @param {number} n */
function paintRow({ at, inks, tints }, levels, [from, to], n) {
  const parts = [];
  const top = at.TOP + at.LINE * n;
  for (let start = from; start < to; ) {
    const level = levels[start];
    let end = start + 1;
    while (end < to && levels[end] === level) end++;
    if (level) {
      const [x, width] = [at.LEFT + at.CELL * (start - from), at.CELL * (end - start)];
      const thick = 0.6 + (3.4 * Math.abs(level)) / at.LEVELS;
      const y = level > 0 ? top + at.LINE - thick : top;
      parts.push(tag("rect", { x, y: top, width, height: at.LINE, fill: tints[level + at.LEVELS] }));
      parts.push(tag("rect", { x, y, width, height: thick, fill: level > 0 ? inks.above : inks.below }));
    }
    start = end;
  }
  return parts;
}

// Return the signs of a row, each in its own place.
/** @param {TextData} data @param {string[]} text @param {Row} row @param {number} n */
function writeRow({ at, smallest }, text, [from, to], n) {
  const signs = text.slice(from, to).map(signOf);
  const places = signs.map((_, k) => general(at.CELL * k)).join(" ");
  const written = signs.join("").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const look = { font_family: at.MONO, font_size: smallest };
  return lineOfText([tag("tspan", { x: places || null }, written)], at.LEFT, at.TOP + at.LINE * n + 20, `row${n}`, look);
}

// Return the whole text as a strip, its mean colour in each of up to 120 bins.
/** @param {TextData} data @param {number[]} levels @param {Row[]} rows @param {number} first */
function wholeText({ at, rows: most, inks }, levels, rows, first) {
  const height = most * at.LINE;
  const bins = Math.min(at.BINS, rows.length);
  const step = height / bins;
  const parts = [];
  for (let n = 0; n < bins; n++) {
    const [start, end] = [n, n + 1].map((edge) => Math.floor((edge * rows.length) / bins));
    const own = levels.slice(rows[start][0], rows[end - 1][1]);
    const level = own.length ? Number(fixed(own.reduce((sum, one) => sum + one, 0) / own.length, 0)) : 0;
    if (level)
      parts.push(tag("rect", {
        x: at.MAP_AT, y: at.TOP + n * step, width: at.MAP_WIDTH, height: step, fill: level > 0 ? inks.above : inks.below,
        fill_opacity: 0.2 + (0.8 * Math.abs(level)) / at.LEVELS,
      }));
  }
  const frame = { fill: "none", stroke: inks.ink };
  const shown = Math.min(most, rows.length) / rows.length;
  parts.push(tag("rect", { x: at.MAP_AT, y: at.TOP, width: at.MAP_WIDTH, height, ...frame, stroke_width: 1 }));
  parts.push(tag("rect", {
    x: at.MAP_AT - 4, y: at.TOP + (height * first) / rows.length, width: at.MAP_WIDTH + 8, height: Math.max(4, height * shown),
    ...frame, stroke_width: 3, data_key: "window",
  }));
  return parts;
}

// Return the scale of colours with its ends.
/** @param {TextData} data @param {Coloured} seen @param {number} y */
function scaleOfColours({ at, inks, tints }, seen, y) {
  const [left, width] = [330, 18];
  const parts = tints.flatMap((tint, n) => {
    const level = n - at.LEVELS;
    const x = left + width * n;
    const box = tag("rect", { y: y - 16, fill: level ? tint : "#ffffff", x, width, height: 20 });
    if (!level) return [box];
    const thick = 0.6 + (3.4 * Math.abs(level)) / at.LEVELS;
    const top = level > 0 ? y + 4 - thick : y - 16;
    return [box, tag("rect", { x, y: top, width, height: thick, fill: level > 0 ? inks.above : inks.below })];
  });
  const end = left + width * tints.length;
  const [low, high] = [-1, 1].map((sign) => plain(signedNumber(sign * seen.scale)));
  return [
    ...parts,
    lineOfText([plain(seen.name)], at.LEFT, y, "name"),
    lineOfText([low], left - 8, y, "low", { text_anchor: "end" }),
    lineOfText([high], end + 8, y, "high"),
    lineOfText([plain("bar below: above 0")], end + 90, y, "bars"),
  ];
}

/** @param {Coloured} seen */
function textInWords({ name, text, values, scale, at }) {
  const before = text.slice(0, at);
  const line = before.filter((letter) => letter === "\n").length + 1;
  const column = at - before.lastIndexOf("\n");
  const letter = SAID_SIGNS[/** @type {" "} */ (text[at])] ?? signOf(text[at]);
  const strong = values.filter((value) => Math.abs(value) > scale / 2).length / values.length;
  const count = String(text.length).replace(/\B(?=(\d{3})+$)/g, ",");
  return (
    `${name}: ${signedNumber(values[at])} at line ${line}, column ${column}, ${letter}. Full colour is ` +
    `${Number(scale.toPrecision(2))}, and ${fixed(100 * strong, 0)}% of the ${count} characters exceed half of it.`
  );
}
