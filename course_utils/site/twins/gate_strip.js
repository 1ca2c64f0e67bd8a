// A unit over the whole sentence: the twin of plots/gates/strip.py.
/**
 * @typedef {object} Strip
 * @property {string[]} words
 * @property {string} lineName
 * @property {string} lineLook
 * @property {number[]} line
 * @property {[string, string][]} labels
 * @property {Record<string, number[]>} rows
 * @property {number} t
 * @property {string | null} filled
 */
const [LEFT, RIGHT, STRIP_WIDTH] = [130, 884, 940];
const [LINE_HEIGHT, ROW, MOST_ROWS] = [42, 20, 5];
const STRIP_HEIGHT = LINE_HEIGHT + 4 + MOST_ROWS * ROW + SMALLEST + 5;
const SIGNED = "gnch";

/** @param {string[]} words @param {number} t */
function columnsAround(words, t) {
  const shown = words.map((word) => readable(word));
  const wide = shown.map((word) => widthOf(word) + 6);
  /** @type {[number, number][]} */
  const pages = [];
  let first = 0;
  let used = 0;
  for (const [k, each] of wide.entries()) {
    if (used + each > RIGHT - LEFT) {
      pages.push([first, k]);
      first = k;
      used = 0;
    }
    used += each;
  }
  pages.push([first, wide.length]);
  const [start, end] = pages.find(([a, b]) => a <= t && t < b);
  const here = wide.slice(start, end);
  let stretch = (RIGHT - LEFT) / here.reduce((sum, each) => sum + each, 0);
  if (start !== 0 || end !== wide.length) stretch = Math.min(stretch, 1.25);
  stretch = Math.min(stretch, 3);
  const edges = [LEFT];
  let sum = 0;
  for (const each of here) {
    sum += each;
    edges.push(LEFT + sum * stretch);
  }
  const middles = here.map((_, k) => (edges[k] + edges[k + 1]) / 2);
  return { first: start, words: shown.slice(start, end), edges, middles, more: end < words.length };
}

/** @param {Places} places @param {Strip} strip @param {number} top */
function drawStrip(places, strip, top) {
  const columns = columnsAround(strip.words, strip.t);
  const count = columns.words.length;
  const tall = LINE_HEIGHT + (MOST_ROWS - strip.labels.length) * ROW;
  const firstRow = top + tall + 4;
  const bottom = firstRow + strip.labels.length * ROW;
  const at = strip.t - columns.first;
  const shapes = lineShapes(places, strip, columns, top, tall, at);
  for (const [k, [name, label]] of strip.labels.entries()) {
    const y = firstRow + k * ROW;
    const row = strip.rows[name].slice(columns.first, columns.first + count);
    const draw = SIGNED.includes(name) ? bars : shades;
    shapes.push(tag("g", { data_key: `row-${name}` }, ...draw(places.looks[name].colour, columns.edges, row, y)));
    shapes.push(lineOfText([plain(label)], LEFT - 10, y + ROW - 4, `name-${name}`, { text_anchor: "end", fill: places.looks[name].ink }));
  }
  for (const [k, word] of columns.words.entries())
    shapes.push(lineOfText([plain(word)], columns.middles[k], bottom + SMALLEST, `word${k}`, { text_anchor: "middle", font_weight: k === at ? "bold" : null }));
  if (columns.first) shapes.push(lineOfText([plain("…")], LEFT - 14, bottom + SMALLEST, "before", { text_anchor: "end" }));
  if (columns.more) shapes.push(lineOfText([plain("…")], RIGHT + 8, bottom + SMALLEST, "after"));
  shapes.push(...keysOf(places, strip, firstRow));
  const row = strip.labels.findIndex(([name]) => name === strip.filled);
  const [y, height] = strip.filled === null ? [top, firstRow - top - 4] : [firstRow + row * ROW, ROW];
  /** @type {[string, number, number, string, number][]} */
  const frames = [["column", top, bottom - top, INK, 1.5], ["here", y, height, "#e00000", 3.5]];
  for (const [key, start, size, colour, wide] of frames)
    shapes.push(tag("rect", { x: columns.edges[at], y: start, width: columns.edges[at + 1] - columns.edges[at], height: size, fill: "none", stroke: colour, stroke_width: wide, rx: 3, data_key: key }));
  return tag("g", { data_key: "strip" }, ...shapes);
}

/** @param {Places} places @param {Strip} strip @param {ReturnType<typeof columnsAround>} columns @param {number} top @param {number} tall @param {number} at */
function lineShapes(places, strip, columns, top, tall, at) {
  const limit = Math.ceil(Math.max(1, ...strip.line.map(Math.abs)));
  const [middle, half] = [top + tall / 2, tall / 2 - 4];
  const heights = columns.middles.map((_, k) => middle - (strip.line[columns.first + k] / limit) * half);
  const points = heights.map((y, k) => `${fixed(columns.middles[k], 1)},${fixed(y, 1)}`).join(" ");
  const look = strip.lineLook ? places.looks[strip.lineLook] : { colour: INK, ink: INK };
  return [
    lineOfText([formula(strip.lineName)], LEFT - 10, middle + 6, "line-name", { text_anchor: "end", fill: look.ink, font_weight: "bold" }),
    tag("path", { d: `M${LEFT} ${middle.toFixed(1)} H${RIGHT}`, stroke: FAINT, data_key: "zero" }),
    tag("polyline", { points, fill: "none", stroke: look.colour, stroke_width: 3, data_key: "line" }),
    tag("circle", { cx: columns.middles[at], cy: heights[at], r: 6, fill: look.colour, data_key: "point" }),
    lineOfText([plain(`+${general(limit)}`)], RIGHT + 8, top + 14, "limit+"),
    lineOfText([plain(`−${general(limit)}`)], RIGHT + 8, top + tall - 1, "limit−"),
  ];
}

// Return a colour of a gate: paper where it is shut, its own where it is open.
/** @param {string} colour @param {number} open */
function shade(colour, open) {
  const full = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const mixed = full.map((part) => Math.round((1 - open * (1 - part)) * 255));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {string} colour @param {number[]} edges @param {number[]} row @param {number} y */
function shades(colour, edges, row, y) {
  return row.map((value, k) =>
    tag("rect", { x: edges[k], y, width: edges[k + 1] - edges[k] + 0.5, height: ROW, fill: shade(colour, value) }),
  );
}

/** @param {string} colour @param {number[]} edges @param {number[]} row @param {number} y */
function bars(colour, edges, row, y) {
  const half = ROW / 2;
  const drawn = row.map((value, k) => {
    const tall = Math.min(Math.abs(value), 1) * (half - 1);
    return tag("rect", { x: edges[k] + 2, y: y + half - (value > 0 ? tall : 0), width: edges[k + 1] - edges[k] - 4, height: tall, fill: colour });
  });
  return [...drawn, tag("path", { d: `M${LEFT} ${(y + half).toFixed(1)} H${fixed(edges[row.length], 1)}`, stroke: FAINT })];
}

/** @param {Places} places @param {Strip} strip @param {number} top */
function keysOf(places, strip, top) {
  const gate = strip.labels.find(([name]) => !SIGNED.includes(name))[0];
  const signed = strip.labels.findLastIndex(([name]) => SIGNED.includes(name));
  const [start, end] = [RIGHT + 8, STRIP_WIDTH - 4];
  const wide = (end - start) / 13;
  const cells = Array.from({ length: 13 }, (_, k) =>
    tag("rect", { x: start + k * wide, y: top + 17, width: wide + 0.3, height: 6, fill: shade(places.looks[gate].colour, k / 12) }),
  );
  return [
    tag("g", { data_key: "ramp" }, ...cells),
    lineOfText([plain("0")], start, top + 14, "shut"),
    lineOfText([plain("1")], end, top + 14, "open", { text_anchor: "end" }),
    lineOfText([plain("±1")], start, top + (signed + 1) * ROW - 4, "signed"),
  ];
}
