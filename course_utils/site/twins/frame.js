// A picture whose moving artists are described by explorers/machinery/frame.py: a twin gives limits,
// points and words, and this draws them as matplotlib would.
/**
 * @typedef {{ kind: "line" | "lines" | "image" | "moved" | "text", axes: number, has: [boolean, boolean], upShare: boolean,
 *   svg: string, spot: Point, look: string, size: string, letters: number, face: FaceName, start: Point, before: number,
 *   angle: number, turn: Point }} Artist
 * @typedef {{ name: string, axes: number, svg: string, at: number, spot: number }} Level what lies at a height of the data
 * @typedef {Chart & { moves: Artist[], levels: Level[], values: Record<string, any[]> }} Frame
 * @typedef {{ points?: Point[], lines?: Point[][], cells?: (string | null)[][], text?: string, ink?: string, at?: Point, up?: number, share?: number }} Shown
 * @typedef {{ x: Limits, y: Limits }} Both
 */
const FAR_OUTSIDE = 51; // pixels outside the picture, where open lines are cut

// Return a picture and the order of its parts: for each Axes its limits, for each moving artist what it shows.
/** @param {Frame} frame @param {Both[]} limits @param {(Shown | null)[]} shown @param {Record<string, string>} own parts, ready drawn */
function drawnAs(frame, limits, shown, own = {}) {
  const parts = { ...own };
  for (const [n, axes] of frame.axes.entries())
    for (const which of /** @type {const} */ (["x", "y"]))
      if (!axes[which].still) parts[axes[which].name] = roundAxis(frame, n, which, limits[n][which]);
  for (const { name, axes, svg, at, spot } of frame.levels)
    parts[name] = movedBy(svg, 0, onPage(frame.axes[axes], limits[axes].x, limits[axes].y)([0, at])[1] - spot);
  for (const [n, artist] of frame.moves.entries()) {
    const { x, y } = limits[artist.axes];
    const place = onPage(frame.axes[artist.axes], x, artist.upShare ? [0, 1] : y);
    parts[`moving${n}`] = shown[n] ? artistAs(frame, artist, frame.moving[`moving${n}`], shown[n], place) : "";
  }
  const named = partsOf(frame, parts);
  const order = [...new Set([...Object.keys(frame.needs), ...frame.order, ...Object.keys(parts)])].filter((name) => named[name]);
  return { size: frame.size, parts: named, order };
}

/** @param {Frame} frame @param {Artist} artist @param {Look[]} looks @param {Shown} shown @param {(point: Point) => Point} place */
function artistAs(frame, artist, looks, shown, place) {
  if (artist.kind === "line") {
    const points = shown.points.map(place);
    const [line, marks] = artist.has[0] ? looks : [null, looks[0]];
    const seen = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
    if (!points.length) return "";
    return (line ? lineAs(line, piecesOf(points, frame.size)) : "") + (artist.has[1] ? marksAt(marks, seen) : "");
  }
  if (artist.kind === "image") return cellsAs(looks[0], shown.cells, frame.axes[artist.axes].box);
  if (artist.kind === "lines") return linesAs(looks[0], shown.lines.map((line) => line.map(place)));
  if (artist.kind === "text") return textAs(artist, shown, place);
  const { box: [, top, , height] } = frame.axes[artist.axes];
  const [x, y] = shown.at ? place(shown.at) : [artist.spot[0], shown.share === undefined ? place([0, shown.up])[1] : top + height * (1 - shown.share)];
  return movedBy(artist.svg, x - artist.spot[0], y - artist.spot[1]);
}

// Return rows of colours as an image that fills its Axes.
/** @param {Look} look @param {(string | null)[][]} cells @param {[number, number, number, number]} box */
function cellsAs({ clip, look }, cells, [left, top, width, height]) {
  const size = [cells[0].length, cells.length];
  const matrix = [width / size[0], 0, 0, height / size[1], left, top].map((value) => Number(value.toPrecision(7)));
  const own = look
    .replace(/ width="\d+" height="\d+"/, ` width="${size[0]}" height="${size[1]}"`)
    .replace(/matrix\([^)]*\)/, `matrix(${matrix.join(" ")})`)
    .replace(/href="[^"]*"/, `href="${imageOf(cells)}"`);
  return `<g clip-path="url(#${clip})"><image${own}></image></g>`;
}

// Return what is seen of a line: pieces between places without a number, cut far outside the picture.
/** @param {Point[]} points @param {[number, number]} size */
function piecesOf(points, size) {
  /** @type {Point[][]} */
  const pieces = [];
  /** @type {Point[] | null} */
  let piece = null;
  for (const [n, point] of points.entries()) {
    const before = n ? points[n - 1] : null;
    if (!point.every(Number.isFinite)) piece = null;
    else if (before?.every(Number.isFinite)) {
      const cut = cutTo(before, point, size);
      if (!cut) {
        piece = null;
        continue;
      }
      if (!piece || cut[0] !== before) {
        piece = [cut[0]];
        pieces.push(piece);
      }
      piece.push(cut[1]);
      if (cut[1] !== point) piece = null;
    } else if (!points[n + 1]?.every(Number.isFinite)) pieces.push([point]);
  }
  return pieces;
}

// Return a step of a line as far as it lies near the picture.
/** @param {Point} from @param {Point} to @param {[number, number]} size @returns {[Point, Point] | null} */
function cutTo(from, to, size) {
  let [begin, end] = [0, 1];
  const ends = [[...from], [...to]];
  for (const side of [0, 1]) {
    const step = to[side] - from[side];
    for (const [limit, sign] of [[-FAR_OUTSIDE, 1], [size[side] + FAR_OUTSIDE, -1]]) {
      const inside = sign * (from[side] - limit);
      const change = sign * step;
      if (inside < 0 && inside + change < 0) return null;
      if (inside >= 0 && inside + change >= 0) continue;
      const at = -inside / change;
      if (inside < 0 ? at <= begin : at >= end) continue;
      const cut = from.map((value, n) => (n === side ? limit : value + at * (to[n] - value)));
      if (inside < 0) [begin, ends[0]] = [at, cut];
      else [end, ends[1]] = [at, cut];
    }
  }
  if (begin > end) return null;
  return [begin ? /** @type {Point} */ (ends[0]) : from, end < 1 ? /** @type {Point} */ (ends[1]) : to];
}

/** @param {Look} look @param {Point[][]} pieces */
function lineAs(look, pieces) {
  if (pieces.length === 1) return linesAs(look, pieces);
  const said = (/** @type {Point} */ [x, y]) => `${hundredths(x)} ${hundredths(y)}`;
  const path = !pieces.length ? "M0 0" : pieces.map(([first, ...rest]) => `M${said(first)}${rest.map((point) => `L${said(point)}`).join("")}`).join("");
  return rows(look.clip, [{ look: look.look.replace(CRISP, "") + (pieces.every(isUpright) ? CRISP : ""), own: ` d="${path}"` }]);
}

/** @param {number} value */
const hundredths = (value) => String(Number((Math.round(100 * value) / 100).toPrecision(7)) + 0);

// Return words where they begin, end or have their middle.
/** @param {Artist} artist @param {Shown} shown @param {(point: Point) => Point} place */
function textAs({ look, size, letters, face: name, spot, start, before, angle, turn }, { text, ink, at }, place) {
  if (!text) return "";
  const wide = letters * face(name).measure(text).width;
  const [x, y] = at ? place(at) : spot;
  const from = [x + start[0] - before * wide * turn[0], y + start[1] + before * wide * turn[1]];
  const painted = ink ? look.replace(/ fill="[^"]*"/, ` fill="${ink}"`) : look;
  const written = textAt(from[0], from[1], size, text, wide, painted);
  if (!angle) return written;
  return written.replace(/ x="[^"]*" y="[^"]*"/, ` transform="translate(${from.map((n) => Number(n.toPrecision(7))).join(" ")})rotate(${-angle})"`);
}

// Return shapes as they are, elsewhere on the page.
/** @param {string} svg @param {number} dx @param {number} dy */
function movedBy(svg, dx, dy) {
  const moved = (/** @type {string} */ x, /** @type {string} */ y) => [hundredths(Number(x) + dx), hundredths(Number(y) + dy)];
  return svg
    .replace(/ x="([-\d.]+)" y="([-\d.]+)"/g, (_, x, y) => ` x="${moved(x, y)[0]}" y="${moved(x, y)[1]}"`)
    .replace(/([ML])([-\d.]+) ([-\d.]+)/g, (_, letter, x, y) => letter + moved(x, y).join(" "));
}

// Return places between 0 and 1 at least `gap` apart, in their order: the twin of plots/end_labels.py.
/** @param {number[]} places @param {number} gap */
function spreadOut(places, gap) {
  const order = places.map((_, n) => n).sort((a, b) => places[a] - places[b] || a - b);
  const wanted = order.map((n, rank) => Math.min(Math.max(places[n], 0), 1) - gap * rank);
  const rising = wanted.map((_, n) => Math.max(...wanted.slice(0, n + 1)));
  const falling = wanted.map((_, n) => Math.min(...wanted.slice(n)));
  const most = Math.max(0, 1 - gap * (places.length - 1));
  const found = [...places];
  for (const [rank, n] of order.entries()) found[n] = Math.min(Math.max((rising[rank] + falling[rank]) / 2, 0), most) + gap * rank;
  return found;
}

// Return names beside the right ends of lines.
/** @param {number[]} ends @param {Limits} limits @param {number} gap @returns {Shown[]} */
function endLabels(ends, [low, high], gap) {
  return spreadOut(ends.map((end) => (end - low) / (high - low)), gap).map((share) => ({ share }));
}

// Return what every control says, by the places of their stops; a typed line stands as it is.
/** @param {Frame} frame @param {Record<string, any>} places @returns {Record<string, any>} */
function controlsAt({ values }, places) {
  return Object.fromEntries(Object.entries(places).map(([name, at]) => [name, values[name] ? values[name][at] : at]));
}
