// Gradient descent at the edge of a cliff: the twin of explorers/gradients/cliff.py and
// plots/gradients/cliff.py. The landscape is a picture that stays.
/** @typedef {{ w: number[], b: number[], loss: number[], norm: number[] }} Descent NaN once it has overflowed */
const [FROM_STATE, TO_STATE] = [0.62, 0.7]; // where the unit starts, and where it should end
const CLIFF = { w: /** @type {Limits} */ ([3, 6]), b: /** @type {Limits} */ ([-3, -1]), loss: /** @type {Limits} */ ([-4, Math.log10(2)]) };

/** @param {Frame & { gap: number, steps: number }} data */
function cliff(data) {
  /** @param {Record<string, any>} places */
  return (places) => {
    const { threshold, learning_rate: rate, w, b, updates } = controlsAt(data, places);
    const walks = [threshold, Infinity].map((most) => descend(w, b, rate, updates, most, data.steps));
    const [clipped, free] = walks;
    const jumps = walks.map((walk) => number(longestJump(walk)));
    const steepest = Math.max(...walks.flatMap(({ norm }) => norm.filter((n) => !Number.isNaN(n))));
    const losses = walks.map(({ loss }) => loss.map((value, t) => /** @type {Point} */ ([t, Math.log10(Math.max(value, 1e-12))])));
    const ends = walks.map(({ loss }) => {
      const last = loss.findLast(Number.isFinite) ?? Infinity;
      return Math.log10(Math.min(Math.max(last, 1e-4), 2));
    });
    const start = /** @type {Point} */ ([w, b]);
    return {
      values: places, offers: {},
      ...drawnAs(data, [{ x: CLIFF.w, y: CLIFF.b }, { x: [0, updates], y: CLIFF.loss }, { x: [0, 1], y: [0, 1] }], [
        ...walks.map((walk) => ({ points: walk.w.map((at, t) => /** @type {Point} */ ([at, walk.b[t]])) })),
        ...losses.map((points) => ({ points })), ...endLabels(ends, CLIFF.loss, data.gap),
        { points: [start] }, { at: start }, { text: `The longest jump: ${jumps[0]} with clipping, ${jumps[1]} without` },
      ]),
      words:
        `Clipped: ${walkInWords(clipped)}. Not clipped: ${walkInWords(free)}. The steepest gradient met had norm ` +
        `${number(steepest, 3)}.`,
      table: {
        headers: ["update", "w clipped", "b", "loss", "gradient", "w free", "b", "loss", "gradient"],
        rows: clipped.w.map((_, t) => [t, ...walks.flatMap((walk) => [walk.w[t], walk.b[t], walk.loss[t], walk.norm[t]])]),
      },
    };
  };
}

// Return the loss of a unit that reads no input, and its gradient.
/** @param {number} w @param {number} b @param {number} steps */
function lossCliff(w, b, steps) {
  let [h, byW, byB] = [FROM_STATE, 0, 0];
  for (let t = 0; t < steps; t++) {
    const a = b + w * h;
    const slope = sigmoid(a) * sigmoid(-a);
    byW = (h + w * byW) * slope;
    byB = (1 + w * byB) * slope;
    h = sigmoid(a);
  }
  const error = h - TO_STATE;
  return { loss: error ** 2, byW: 2 * error * byW, byB: 2 * error * byB };
}

/** @param {number} w @param {number} b @param {number} rate @param {number} updates @param {number} most @param {number} steps @returns {Descent} */
function descend(w, b, rate, updates, most, steps) {
  /** @type {Descent} */
  const walk = { w: [], b: [], loss: [], norm: [] };
  let at = [w, b];
  let alive = true;
  for (let update = 0; update <= updates; update++) {
    const { loss, byW, byB } = lossCliff(at[0], at[1], steps);
    const norm = Math.hypot(byW, byB);
    for (const [name, value] of Object.entries({ w: at[0], b: at[1], loss, norm })) walk[/** @type {"w"} */ (name)].push(alive ? value : NaN);
    const factor = Math.min(most / norm, 1);
    const moved = [at[0] - rate * factor * byW, at[1] - rate * factor * byB];
    alive &&= moved.every(Number.isFinite);
    if (alive) at = moved;
  }
  return walk;
}

/** @param {Descent} walk */
function longestJump({ w, b, loss }) {
  let most = 0;
  for (let t = 1; t < w.length && Number.isFinite(loss[t]); t++) most = Math.max(most, Math.hypot(w[t] - w[t - 1], b[t] - b[t - 1]));
  return most;
}

/** @param {Descent} walk */
function walkInWords(walk) {
  const there = walk.w.map((_, t) => t).filter((t) => Number.isFinite(walk.loss[t]));
  const isOutside = (/** @type {number} */ value, /** @type {Limits} */ [low, high]) => value < low || value > high;
  const outside = there.findIndex((t) => isOutside(walk.w[t], CLIFF.w) || isOutside(walk.b[t], CLIFF.b));
  const left = outside < 0 ? "" : `leaves the picture at update ${outside}, `;
  const [first, last] = [walk.loss[there[0]], walk.loss[there.at(-1)]];
  const said = (/** @type {number} */ loss) => number(loss > 1e-20 ? loss : 0);
  return `${left}longest jump ${number(longestJump(walk))}, loss ${said(first)} to ${said(last)}`;
}
