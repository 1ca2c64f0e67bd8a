// A picture with axes, as matplotlib and the recorder (plots/scene/recorder.py) would draw it. What
// stays comes ready drawn from explorers/machinery/twin.py; here is what follows the data.
/**
 * @typedef {{ name: string, clip: string, grid: string, marks: string, ink: string, across: number, along: number,
 *   space: number, label: string, named: boolean, right: number, baseline: number, drop: number, size: string,
 *   gap?: number, still?: boolean, widths?: Record<string, number> }} Axis
 * @typedef {{ box: [number, number, number, number], x: Axis, y: Axis }} Axes
 * @typedef {{ clip: string | null, look: string }} Look
 * @typedef {{ size: [number, number], needs: Record<string, string>, order: string[], stay: Record<string, string>,
 *   axes: Axes[], moving: Record<string, Look[]>, widths: Record<string, number> }} Chart
 * @typedef {[number, number]} Point
 * @typedef {[number, number]} Limits
 */
const CRISP = ' shape-rendering="crispEdges"';
const STEPS = [0.1, 0.2, 0.25, 0.5, 1, 2, 2.5, 5, 10, 20]; // of a tick to the next, times a power of ten
const MOST_TICKS = 9;
const MANY_POINTS = 100; // of which one digit of a pixel is enough
const LONG_LINE = 128; // points, from which on those are left out that nobody would see
const STRAIGHT = 0.05; // pixels beside a straight line
const MOST_SNAPPED = 1024;
const SAME = 1e-6; // pixels: at the end of an axis

// Return the round places between two limits, one beyond each of them too.
/** @param {number} low @param {number} high @param {number} space how many there is room for */
function roundPlaces(low, high, space) {
  const most = Math.min(Math.max(space, 1), MOST_TICKS);
  const unit = 10 ** Math.floor(Math.log10((high - low) / most));
  const wanted = (high - low) / most;
  let place = STEPS.findIndex((step) => step * unit >= wanted);
  if (place < 0) place = STEPS.length - 1;
  for (; ; place--) {
    const step = STEPS[place] * unit;
    const first = Math.floor(low / step) - 1;
    const count = Math.ceil((high - low) / step) + 3;
    const places = Array.from({ length: count }, (_, n) => (first + n) * step);
    if (!place || places.filter((at) => at >= low && at <= high).length >= 2) return places;
  }
}

// Return numbers as the names of ticks: all with as many decimals as the finest needs.
/** @param {number[]} places */
function namesOfPlaces(places) {
  const range = Math.max(...places) - Math.min(...places);
  const size = Math.floor(Math.log10(range));
  const fits = (/** @type {number} */ digits) =>
    places.every((at) => Math.abs(at - Math.round(at * 10 ** digits) / 10 ** digits) < 1e-3 * 10 ** size);
  let digits = Math.max(0, 3 - size);
  while (digits > 0 && fits(digits - 1)) digits--;
  return places.map((at) => (at + 0).toFixed(digits).replace(/^-(0(?:\.0*)?)$/, "$1").replace("-", "−"));
}

/** @param {Axes} axes @param {Limits} x @param {Limits} y @returns {(point: Point) => Point} */
function onPage({ box: [left, top, width, height] }, [x0, x1], [y0, y1]) {
  return ([x, y]) => [left + (width * (x - x0)) / (x1 - x0), top + height * (1 - (y - y0) / (y1 - y0))];
}

// Return shapes as SVG: what follows each other and looks alike is written as one.
/** @param {string | null | undefined} clip @param {{ look: string, own: string }[]} shapes */
function rows(clip, shapes, element = "path") {
  let written = "";
  for (let n = 0; n < shapes.length; ) {
    let end = n + 1;
    while (end < shapes.length && shapes[end].look === shapes[n].look) end++;
    const alike = shapes.slice(n, end);
    const row = alike.length === 1
      ? `<${element}${alike[0].look}${alike[0].own}></${element}>`
      : `<g${alike[0].look}>${alike.map(({ own }) => `<${element}${own}></${element}>`).join("")}</g>`;
    written += clip ? `<g clip-path="url(#${clip})">${row}</g>` : row;
    n = end;
  }
  return written;
}

/** @param {Point[]} points @param {number} digits */
function pathOf(points, digits = 2) {
  const scale = 10 ** digits;
  const whole = points.map(([x, y]) => [Math.round(x * scale), Math.round(y * scale)]);
  const said = (/** @type {number} */ number) => String(Number((number / scale).toPrecision(7)) + 0);
  const steps = whole.slice(1).map(([x, y], n) => `${said(x - whole[n][0])} ${said(y - whole[n][1])}`);
  return ` d="M${said(whole[0][0])} ${said(whole[0][1])}${steps.length ? "l" : ""}${steps.join(" ")}"`;
}

// Return whether all of a line is level or plumb, so that whole pixels can fit it.
/** @param {Point[]} points */
function isUpright(points) {
  if (points.length > MOST_SNAPPED) return false;
  return points.every(([x, y], n) => !n || Math.min(Math.abs(x - points[n - 1][0]), Math.abs(y - points[n - 1][1])) < 1e-4);
}

// Return a line that runs to the right, without the points that lie between others on a straight one.
/** @param {Point[]} points */
function withoutStraight(points) {
  const kept = [points[0]];
  let [x, y] = points[0];
  let [least, most] = [-Infinity, Infinity]; // slopes that pass all points since the last that was kept
  for (let n = 1; n < points.length; n++) {
    const [dx, dy] = [points[n][0] - x, points[n][1] - y];
    if (dy / dx < least || dy / dx > most) {
      kept.push(points[n - 1]);
      [x, y] = points[n - 1];
      [least, most] = [-Infinity, Infinity];
      n--;
      continue;
    }
    least = Math.max(least, (dy - STRAIGHT) / dx);
    most = Math.min(most, (dy + STRAIGHT) / dx);
  }
  kept.push(points.at(-1));
  return kept;
}

// Return lines of one look, level ones sharp.
/** @param {Look} look @param {Point[][]} lines points on the page */
function linesAs({ clip, look }, lines) {
  const plainLook = look.replace(CRISP, "");
  const isDashed = look.includes("dasharray");
  const shapes = lines.map((all) => {
    const points = all.length < LONG_LINE ? all : withoutStraight(all);
    return { look: plainLook + (isUpright(points) ? CRISP : ""), own: pathOf(points, points.length > MANY_POINTS && !isDashed ? 1 : 2) };
  });
  return rows(clip, shapes);
}

/** @param {Look} look @param {Point[]} points */
function marksAt({ clip, look }, points) {
  return points.length ? rows(clip, [{ look, own: pathOf(points) }]) : "";
}

/** @param {number} x @param {number} y @param {string} size @param {string} text @param {number} width @param {string} look */
function textAt(x, y, size, text, width, look = "") {
  const length = [...text].length > 1 ? ` textLength="${short(width)}"` : "";
  return `<text${look} x="${short(x)}" y="${short(y)}" font-size="${size}"${length}>${escaped(text)}</text>`;
}

// Return an axis with ticks at these places of the page; a place without a name has none.
/** @param {Axes} axes @param {"x" | "y"} which @param {number[]} places @param {string[]} names @param {Record<string, number>} widths */
function axisPart({ box: [left, top, width, height], ...both }, which, places, names, widths) {
  const axis = both[which];
  const level = which === "y";
  const [low, high] = level ? [top, top + height] : [left, left + width];
  const seen = places.map((at, n) => /** @type {[number, string]} */ ([at, names[n]])).filter(([at]) => at >= low - SAME && at <= high + SAME);
  const start = (/** @type {number} */ at) => /** @type {Point} */ (level ? [axis.along, at] : [at, axis.across]);
  const grid = !axis.grid ? "" : linesAs({ clip: axis.clip, look: axis.grid }, seen.map(([at]) => {
    const [x, y] = start(at);
    return [[x, y], level ? [left + width, y] : [x, top]];
  }));
  const marks = rows(null, seen.map(([at]) => ({ look: axis.marks, own: pathOf([start(at)]) })));
  if (!axis.named) return grid + marks + labelled(axis, axis.label);
  let leftmost = Infinity;
  const texts = seen.filter(([, name]) => name).map(([at, name]) => {
    const wide = [...name].reduce((sum, letter) => sum + widths[letter], 0);
    const x = level ? axis.right - wide : at - wide / 2;
    leftmost = Math.min(leftmost, x);
    return textAt(x, level ? at + axis.drop : axis.baseline, axis.size, name, wide);
  });
  const label = axis.gap === undefined ? axis.label : axis.label.replace(/translate\([-\d.]+/, `translate(${Number((leftmost - axis.gap).toPrecision(7))}`);
  return grid + marks + labelled(axis, texts.join("") + label);
}

/** @param {Axis} axis @param {string} inside */
const labelled = ({ ink }, inside) => (inside ? `<g${ink}>${inside}</g>` : "");

// Return an axis with ticks at round places between its limits.
/** @param {Chart} chart @param {number} number @param {"x" | "y"} which @param {Limits} limits */
function roundAxis(chart, number, which, limits) {
  const axes = chart.axes[number];
  const [left, top, width, height] = axes.box;
  const places = roundPlaces(Math.min(...limits), Math.max(...limits), axes[which].space);
  const share = (/** @type {number} */ at) => (at - limits[0]) / (limits[1] - limits[0]);
  const at = places.map((place) => (which === "x" ? left + width * share(place) : top + height * (1 - share(place))));
  return axisPart(axes, which, at, namesOfPlaces(places), axes[which].widths ?? chart.widths);
}

// Return all parts of a picture in order: what is referred to, what stays, what follows the data.
/** @param {Chart} chart @param {Record<string, string>} drawn @returns {Record<string, string>} */
function partsOf(chart, drawn) {
  const moving = Object.keys(drawn).filter((name) => name.startsWith("moving"));
  const shown = [...chart.order, ...moving].map((name) => [name, drawn[name] ?? chart.stay[name] ?? ""]).filter(([, part]) => part);
  const all = shown.map(([, part]) => part).join("");
  const needs = Object.entries(chart.needs).filter(([name]) => all.includes(`#${name}`));
  return Object.fromEntries([...needs, ...shown]);
}
