// The cell of a walk: the twin of plots/gates/cell.py and cell_parts.py. Places and colours come from
// there, as data.
/**
 * @typedef {{ key: string, name: string, word: string, x: number, stop: string }} Box
 * @typedef {{ key: string, gate: string, x: number, y: number, rising: boolean, stem: string, stop: string, complement: boolean }} Valve
 * @typedef {{ key: string, look: string, path: string, stop: string, back: string, sign: [number, number, number] }} Belt
 * @typedef {{ key: string, x: number, y: number, sign: string, stop: string }} Joint
 * @typedef {{ stops: string[], memory: string, boxes: Box[], valves: Valve[], belts: Belt[], joints: Joint[], taps: [string, number, string][] }} Layout
 *
 * @typedef {object} Places
 * @property {Record<string, Layout>} layouts
 * @property {Record<string, { colour: string, ink: string }>} looks
 * @property {Record<string, number>} at
 * @property {[number, number, number, number]} house
 * @property {[number, number]} box
 * @property {Record<string, Record<string, string>>} rows
 * @property {Record<string, string>} symbols by "kind stop"
 * @property {Record<string, [string, string]>} back
 *
 * @typedef {object} CellState
 * @property {"lstm" | "gru"} kind
 * @property {string} stop
 * @property {Record<string, number>} values
 * @property {Record<string, number>} flows
 * @property {number} scale
 * @property {string} word
 * @property {boolean} back
 */
const INK = "#333333";
const FAINT = "#9a9a9a";
const PAPER = "#ffffff";
const LIT = "#eaa800";
const GHOST = 0.16;
const FULL = 32;
const JAWS = FULL + 8;
/** @type {Record<string, string | null>} */
const DASHES = { f: "9 4", z: "9 4", i: null, r: null, o: "9 4 2 4", g: "3 3", n: "3 3" };

/** @param {number | undefined} value @param {number} scale */
const thickness = (value, scale) =>
  Math.max(1.5, (value === undefined ? 0.4 : Math.min(Math.abs(value) / scale, 1)) * FULL);

/** @param {Places} places @param {CellState} state */
function drawCell(places, state) {
  const layout = places.layouts[state.kind];
  const order = state.back ? [...layout.stops].reverse() : layout.stops;
  const here = order.indexOf(state.stop);
  const reached = (/** @type {string} */ stop) => order.indexOf(stop) <= here;
  const { flows, values, scale } = state;
  const [x, y, width, height] = places.house;
  const shapes = [
    tag("rect", { x, y, width, height, rx: 18, fill: "#fafafa", stroke: "#dddddd", stroke_width: 2, data_key: "house" }),
    drawRail(places, layout, (stop) => state.back || reached(stop)),
  ];
  // this cell's parts, then what only the other cell has, unseen
  /** @template {Box | Valve | Belt | Joint} P @param {"boxes" | "valves" | "belts" | "joints"} kind @returns {[P, number][]} */
  const every = (kind) => {
    const own = /** @type {P[]} */ (/** @type {unknown} */ (layout[kind]));
    const known = new Set(own.map((one) => one.key));
    /** @type {[P, number][]} */
    const found = own.map((one) => {
      const stop = kind === "belts" ? (state.back ? /** @type {Belt} */ (one).back : one.stop) : state.back ? order[0] : one.stop;
      return [one, reached(stop) ? 1 : GHOST];
    });
    for (const other of Object.values(places.layouts))
      for (const one of /** @type {P[]} */ (/** @type {unknown} */ (other[kind]))) if (!known.has(one.key)) found.push([one, 0]);
    return found;
  };
  for (const [belt, alpha] of /** @type {[Belt, number][]} */ (every("belts")))
    shapes.push(drawBelt(places, belt, alpha === 1 ? flows[belt.key] : undefined, scale, alpha, state.back));
  for (const [valve, alpha] of /** @type {[Valve, number][]} */ (every("valves")))
    shapes.push(drawValve(places, valve, alpha === 1 ? values[valve.gate] : undefined, alpha));
  for (const [joint, alpha] of /** @type {[Joint, number][]} */ (every("joints")))
    shapes.push(drawJoint(joint, alpha, joint.key === "plus" && joint.stop === state.stop));
  for (const [box, alpha] of /** @type {[Box, number][]} */ (every("boxes")))
    shapes.push(drawBox(places, box, alpha === 1 ? values[box.name] : undefined, alpha, box.stop === state.stop));
  const belts = new Map(/** @type {[Belt, number][]} */ (every("belts")).filter(([, alpha]) => alpha === 1).map(([belt]) => [belt.key, belt]));
  return tag("g", { data_key: "cell" }, ...shapes, ...labels(places, layout, state, belts), ...reading(places, state));
}

/** @param {Places} places @param {Layout} layout @param {(stop: string) => boolean} reached */
function drawRail(places, layout, reached) {
  const { RAIL: height, BOX_TOP } = places.at;
  const bottom = BOX_TOP + places.box[1];
  const alphas = new Map(layout.taps.map(([key, , stop]) => [key, reached(stop) ? 1 : GHOST]));
  /** @type {Map<string, number>} */
  const every = new Map();
  for (const one of Object.values(places.layouts)) for (const [key, x] of one.taps) every.set(key, x);
  const taps = [...every].map(([key, x]) => /** @type {const} */ ([key, x, alphas.get(key) ?? 0]));
  const end = Math.max(...taps.filter(([, , alpha]) => alpha).map(([, x]) => x));
  const style = { fill: "none", stroke: FAINT, stroke_width: 3 };
  return tag(
    "g",
    { data_key: "read" },
    tag("path", { d: `M0 ${height} H${end}`, data_key: "rail", ...style }),
    ...taps.map(([key, x, alpha]) =>
      tag("path", { d: `M${x} ${height} V${bottom + 9}`, opacity: alpha, data_key: `tap-${key}`, ...style }),
    ),
    ...taps.map(([key, x, alpha]) =>
      tag("path", { d: `M${x - 6} ${bottom + 11} h12 l-6 -9 z`, fill: FAINT, opacity: alpha, data_key: `head-${key}` }),
    ),
  );
}

/** @param {Places} places @param {Belt} belt @param {number | undefined} value @param {number} scale @param {number} alpha @param {boolean} back */
function drawBelt(places, belt, value, scale, alpha, back) {
  const wide = thickness(value, scale);
  const negative = value !== undefined && value < 0;
  const colour = back ? INK : places.looks[belt.look].colour;
  const [x, y, turned] = belt.sign;
  const size = wide > 6 ? fixed(Math.min(1, wide / 20), 2) : "0";
  const sign = tag("path", {
    d: "M-5 -6 L3 0 L-5 6",
    fill: "none",
    stroke: negative ? colour : PAPER,
    stroke_width: 3,
    data_key: `${belt.key}-sign`,
    style: `transform:${placed(x, y)} rotate(${turned + (back ? 180 : 0)}deg) scale(${general(Number(size))})`,
  });
  return tag(
    "g",
    { data_key: `belt-${belt.key}`, opacity: alpha, class: "course-belt" },
    tag("path", { d: belt.path, fill: "none", stroke: colour, stroke_width: wide, stroke_dasharray: negative && wide <= 6 ? "5 4" : null, data_key: "outer" }),
    tag("path", { d: belt.path, fill: "none", stroke: PAPER, stroke_width: negative ? Math.max(0, wide - 6) : 0, data_key: "inner" }),
    sign,
  );
}

/** @param {number} x @param {number} y */
const placed = (x, y) => `translate(${general(x)}px,${general(y)}px)`;

/** @param {Places} places @param {Valve} valve @param {number | undefined} gate @param {number} alpha */
function drawValve(places, valve, gate, alpha) {
  const open = gate === undefined ? 0.5 : valve.complement ? 1 - gate : gate;
  const closed = ((1 - Math.min(Math.max(open, 0), 1)) * JAWS) / 2;
  const half = JAWS / 2;
  const edge = places.looks[valve.gate].colour;
  const jaws = [-1, 1].map((side) =>
    tag("rect", { x: -11, y: side < 0 ? -half : half - closed, width: 22, height: closed, fill: edge, data_key: `jaw${side}` }),
  );
  const frame = tag("rect", { x: -12, y: -half - 3, width: 24, height: 2 * half + 6, rx: 4, fill: "none", stroke: edge, stroke_width: 3, data_key: "frame" });
  const style = `transform:${placed(valve.x, valve.y)} rotate(${valve.rising ? 90 : 0}deg)`;
  return tag(
    "g",
    { data_key: `valve-${valve.key}`, opacity: alpha },
    tag("path", { d: valve.stem, fill: "none", stroke: edge, stroke_width: 3, stroke_dasharray: DASHES[valve.gate], data_key: "stem" }),
    tag("g", { data_key: "body", style }, ...jaws, frame),
  );
}

/** @param {Places} places @param {Box} box @param {number | undefined} value @param {number} alpha @param {boolean} lit */
function drawBox(places, box, value, alpha, lit) {
  const [width, height] = places.box;
  const top = places.at.BOX_TOP;
  const left = box.x - width / 2;
  const middle = top + height / 2;
  const look = places.looks[box.name];
  return tag(
    "g",
    { data_key: `box-${box.key}`, opacity: alpha },
    tag("rect", { x: left - 5, y: top - 5, width: width + 10, height: height + 10, rx: 14, fill: "none", stroke: LIT, stroke_width: 9, data_key: "glow", opacity: lit ? 1 : 0 }),
    tag("rect", { x: left, y: top, width, height, rx: 10, fill: PAPER, stroke: look.colour, stroke_width: 3, data_key: "box" }),
    lineOfText([plain(box.word)], box.x, middle - 5, "word", { text_anchor: "middle", fill: look.ink, font_weight: "bold" }),
    lineOfText([formula(`${box.name}_t`), plain(value === undefined ? "" : ` ${signedNumber(value)}`)], box.x, middle + 18, "number", { text_anchor: "middle" }),
  );
}

/** @param {Joint} joint @param {number} alpha @param {boolean} lit */
function drawJoint(joint, alpha, lit) {
  const half = joint.sign.length > 2 ? [29, 15] : [17, 17];
  const place = { x: joint.x - half[0], y: joint.y - half[1], rx: half[1], width: 2 * half[0], height: 2 * half[1] };
  const big = joint.sign.length > 1 ? SMALLEST : 28;
  return tag(
    "g",
    { data_key: `joint-${joint.key}`, opacity: alpha },
    tag("rect", { ...place, fill: "none", stroke: LIT, stroke_width: 14, opacity: lit ? 1 : 0, data_key: "glow" }),
    tag("rect", { ...place, fill: PAPER, stroke: INK, stroke_width: 2.5, data_key: "circle" }),
    lineOfText([plain(joint.sign)], joint.x, joint.y + 0.34 * big, "sign", { text_anchor: "middle", font_size: big }),
  );
}

/** @param {Places} places @param {Layout} layout @param {CellState} state @param {Map<string, Belt>} belts */
function labels(places, layout, state, belts) {
  const { TOP, SHOWN, WIDTH, PROPOSE, BRANCH, KEEP } = places.at;
  const [above, below, end] = [TOP - 25, SHOWN - 20, WIDTH - 4];
  const m = layout.memory;
  /** @type {[string, string, string, number, number, string][]} */
  const found = state.back
    ? [
        ["old", `∂J/∂${m}_{t−1}`, "along the belt", 4, above, "start"],
        ["sum", `∂J/∂${m}_t`, "", (PROPOSE + BRANCH) / 2 + 4, above, "middle"],
        ["new", "", "from the right", end, above, "end"],
        ["shown", "", "via h", end, below, "end"],
      ]
    : [
        ["old", `${m}_{t−1}`, "", 4, above, "start"],
        ["kept", "", "kept", (KEEP + PROPOSE) / 2, above, "middle"],
        ["written", "", "added", PROPOSE + 28, 84, "start"],
        ["new", `${m}_t`, "", end, above, "end"],
        ["shown", "h_t", "", end, below, "end"],
      ];
  const said = state.back ? number : signedNumber;
  return found
    .filter(([belt, symbol]) => belts.has(belt) && (belt in state.flows || symbol))
    .map(([belt, symbol, word, x, y, anchor]) => {
      const rest = [word, belt in state.flows ? said(state.flows[belt]) : ""].filter(Boolean);
      const fill = state.back ? INK : places.looks[belts.get(belt).look].ink;
      return lineOfText([formula(symbol), plain(rest.map((part) => ` ${part}`).join(""))], x, y, `label-${belt}`, { text_anchor: anchor, fill, font_weight: "bold" });
    });
}

/** @param {Places} places @param {CellState} state */
function reading(places, state) {
  const { WIDTH, HEIGHT, RAIL } = places.at;
  const one = thickness(1, state.scale);
  const x = WIDTH - 166;
  const pieces = [plain("reads "), formula("x_t"), plain(` = “${readable(state.word)}”`), plain(" and all units of "), formula("h_{t−1}")];
  return [
    lineOfText(pieces, 4, HEIGHT - 5, "reads"),
    tag("rect", { x, y: RAIL + 15 - one / 2, width: 12, height: one, fill: FAINT, data_key: "one" }),
    lineOfText([plain("= 1; hollow < 0")], x + 20, HEIGHT - 5, "scale"),
  ];
}
