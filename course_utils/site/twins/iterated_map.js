// One step as a map, taken again and again: the twin of explorers/gradients/iterated_map.py and
// plots/gradients/iterated_map.py.
const REACH = 2; // of the starts
const SAME_ENDS = 0.01; // ends closer than that are one place
const MOST_FIXED = 3; // points that one step leaves where they are, of a bent map
/** @type {Record<string, [(a: number) => number, (a: number) => number]>} */
const ACTIVATIONS = {
  sigmoid: [sigmoid, (a) => sigmoid(a) * sigmoid(-a)],
  tanh: [Math.tanh, (a) => Math.cosh(a) ** -2],
  relu: [(a) => Math.max(a, 0), (a) => Number(a > 0)],
  linear: [(a) => a, () => 1],
};

/** @param {Frame & { points: number[] }} data */
function iteratedMap(data) {
  const { points } = data;
  /** @param {Record<string, any>} places */
  return (places) => {
    const { activation, weight, bias, depth, start } = controlsAt(data, places);
    const [g, slope] = ACTIVATIONS[activation];
    const step = (/** @type {number} */ h) => g(weight * h + bias);
    const slopes = points.map(() => 1);
    let ends = [...points];
    for (let t = 0; t < depth; t++)
      ends = ends.map((h, n) => {
        slopes[n] *= slope(weight * h + bias) * weight;
        return step(h);
      });
    const walk = [start];
    for (let t = 0; t < depth; t++) walk.push(step(walk[t]));
    const once = points.map(step);
    const maps = { depth, once, ends, slopes };
    const along = (/** @type {number[]} */ values) => ({ points: points.map((h, n) => /** @type {Point} */ ([h, values[n]])) });
    const still = fixedPoints(points, once);
    const dots = (/** @type {boolean} */ pulls) => ({
      points: still.filter((one) => Math.abs(one.slope) < 1 === pulls).map(({ at }) => /** @type {Point} */ ([at, at])),
    });
    const both = { x: /** @type {Limits} */ ([-REACH, REACH]), y: /** @type {Limits} */ ([-REACH, REACH]) };
    return {
      values: places, offers: {},
      ...drawnAs(data, [both, both], [
        along(once), { points: cobweb(walk) }, along(ends.map(nearby)), dots(true), dots(false), { text: mapsHeadline(maps) },
      ]),
      words: mapsInWords(maps),
      table: {
        headers: ["h_0", "after one step", "after all steps", "slope of all steps"],
        rows: points.map((h, n) => [h, once[n], ends[n], slopes[n]]).filter((_, n) => n % 10 === 0),
      },
    };
  };
}

// Return where one step changes nothing, and the map's slopes there; nowhere, where it never does.
/** @param {number[]} points @param {number[]} once */
function fixedPoints(points, once) {
  const moved = points.map((h, n) => once[n] - h);
  const still = moved.map((by) => Math.abs(by) < 1e-12);
  if (still.slice(1, -1).filter((is) => is).length > MOST_FIXED) return [];
  const places = points.filter((_, n) => still[n]);
  for (let n = 0; n + 1 < points.length; n++)
    if (moved[n] * moved[n + 1] < 0 && !still[n] && !still[n + 1])
      places.push(points[n] + (moved[n] / (moved[n] - moved[n + 1])) * (points[n + 1] - points[n]));
  const slopes = slopesOf(points, once);
  return places.sort((a, b) => a - b).map((at) => ({ at, slope: between(points, slopes, at) }));
}

// Return the slope at every point, from its two neighbours.
/** @param {number[]} x @param {number[]} y */
function slopesOf(x, y) {
  const last = x.length - 1;
  const one = (/** @type {number} */ n) => (y[n + 1] - y[n]) / (x[n + 1] - x[n]);
  return x.map((_, n) => {
    if (n === 0) return one(0);
    if (n === last) return one(last - 1);
    const [before, after] = [x[n] - x[n - 1], x[n + 1] - x[n]];
    const all = before + after;
    return (-after / (before * all)) * y[n - 1] + ((after - before) / (before * after)) * y[n] + (before / (after * all)) * y[n + 1];
  });
}

/** @param {number[]} x @param {number[]} y @param {number} at */
function between(x, y, at) {
  const n = Math.max(x.findLastIndex((one) => one <= at), 0);
  if (n === x.length - 1) return y[n];
  return ((y[n + 1] - y[n]) / (x[n + 1] - x[n])) * (at - x[n]) + y[n];
}

/** @param {number} h */
const nearby = (h) => Math.min(Math.max(h, -10 * REACH), 10 * REACH);

// Return the corners of a walk: up to the map, across to the diagonal.
/** @param {number[]} walk */
function cobweb(walk) {
  const near = walk.map(nearby);
  const across = near.flatMap((h) => [h, h]).slice(0, -1);
  const up = [near[0], ...near.slice(1).flatMap((h) => [h, h])];
  return across.map((x, n) => /** @type {Point} */ ([x, up[n]]));
}

/** @typedef {{ depth: number, once: number[], ends: number[], slopes: number[] }} Maps */

/** @param {Maps} maps */
function mapsInWords({ depth, ends, slopes }) {
  const spread = Math.max(...ends) - Math.min(...ends);
  const sizes = slopes.map(Math.abs);
  const steps = depth === 1 ? "1 step" : `${depth} steps`;
  if (!Number.isFinite(spread)) return `After ${steps} the states are too large for any number: the map explodes.`;
  if (spread < SAME_ENDS)
    return (
      `After ${steps} every start ends at the same place, ${signedNumber(meanOf(ends))}: ` +
      `the largest slope left is ${number(Math.max(...sizes))}, so no gradient comes back.`
    );
  return (
    `After ${steps} the starts between -2 and 2 are spread over ${number(spread)}; the steepest place has slope ` +
    `${number(Math.max(...sizes))}, the flattest ${number(Math.min(...sizes))}.`
  );
}

/** @param {Maps} maps */
function mapsHeadline({ depth, ends, slopes }) {
  const spread = Math.max(...ends) - Math.min(...ends);
  const steepest = Math.max(...slopes.map(Math.abs));
  const after = depth === 1 ? "After 1 step" : `After ${depth} steps`;
  if (!Number.isFinite(spread)) return `${after} the states have overflowed`;
  if (spread < SAME_ENDS) return `${after} all starts have met: no gradient is left`;
  if (steepest > 1.005) return `${after} neighbours may be ${number(steepest)} times as far apart`;
  return `${after} neighbours keep at most ${share(steepest)} of their distance`;
}

/** @param {number[]} values */
const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
