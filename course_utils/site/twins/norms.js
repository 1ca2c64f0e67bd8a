// How far a random network's gradient reaches: the twin of explorers/gradients/norms.py and
// plots/gradients/norms.py.
/**
 * @typedef {{ matrices: Record<string, string>, stretch: Record<string, number>, slopes: Record<string, number>, W: string,
 *   inputs: string, sequences: number, nothing: number, gap: number, mostTicks: number, ends: Limits, grain: number,
 *   decades: Decades }} NormsData
 * @typedef {{ norms: number[], bound: number[] }} NormProfile
 */

/** @param {Frame & NormsData} data */
function norms(data) {
  const matrices = Object.fromEntries(Object.entries(data.matrices).map(([kind, letters]) => [kind, floatsIn(letters)]));
  const [W, inputs] = [floatsIn(data.W), floatsIn(data.inputs)];
  const frame = { ...data, needs: { ...data.needs, ...data.decades.needs } };
  const H = Math.sqrt(Object.values(matrices)[0].length);
  /** @param {Record<string, any>} places */
  return (places) => {
    const { radius, activation, kind, gain, length } = controlsAt(data, places);
    const network = { W: W.map((w) => gain * w), U: matrices[kind].map((u) => radius * u), b: new Float64Array(H), activation };
    const seen = normsByLag(network, inputs, data.sequences, length).map((norm) => (norm < data.nothing ? 0 : norm));
    const bound = seen.map((_, lag) => (data.slopes[activation] * radius * data.stretch[kind]) ** lag);
    const curves = [seen, bound];
    const limits = decadesAround(data, curves);
    const logs = curves.map((curve) => curve.map((value) => (value > 0 ? Math.log10(value) : NaN)));
    const ends = logs.map((log) => (Number.isNaN(log.at(-1)) ? limits[0] : Math.max(log.at(-1), limits[0])));
    return {
      values: places, offers: {},
      ...drawnAs(frame, [{ x: [0, length - 1], y: limits }], [
        ...logs.map((log) => ({ points: log.map((y, lag) => /** @type {Point} */ ([lag, y])) })),
        { text: normsHeadline(seen) }, ...endLabels(ends, limits, data.gap),
      ], decadesAs(data, data.decades, limits, ticksBetween(data, limits))),
      words: normsInWords({ norms: seen, bound }),
      table: { headers: ["lag", "gradient norm", "bound"], rows: seen.map((norm, lag) => [lag, norm, bound[lag]]) },
    };
  };
}

// Return the size of the last state's gradient at every state before it, the mean of all sequences.
/**
 * @param {{ W: Float64Array, U: Float64Array, b: Float64Array, activation: string }} network
 * @param {Float64Array} inputs @param {number} sequences @param {number} T
 */
function normsByLag({ W, U, b, activation }, inputs, sequences, T) {
  const [g, slope] = ACTIVATIONS[activation];
  const H = b.length;
  const D = W.length / H;
  const found = new Array(T).fill(0);
  for (let one = 0; one < sequences; one++) {
    /** @type {Float64Array[]} */
    const slopes = [];
    let h = new Float64Array(H);
    for (let t = 0; t < T; t++) {
      const from = (t * sequences + one) * D;
      const a = product(U, h, product(W, inputs.subarray(from, from + D), b));
      slopes.push(a.map(slope));
      h = a.map(g);
    }
    let v = new Float64Array(H).fill(H ** -0.5);
    for (let lag = 0; lag < T; lag++) {
      found[lag] += Math.sqrt(v.reduce((sum, value) => sum + value * value, 0)) / sequences;
      const before = new Float64Array(H);
      addBack(U, v.map((value, k) => value * slopes[T - 1 - lag][k]), before);
      v = before;
    }
  }
  return found;
}

// Return limits, as powers of ten in whole grains, around everything that can be drawn, and 1.
/** @param {NormsData} data @param {number[][]} curves @returns {Limits} */
function decadesAround({ grain, ends }, curves) {
  const logs = [0, ...curves.flat().filter((value) => value > 0).map(Math.log10)];
  const low = Math.floor((logs.reduce((least, log) => Math.min(least, log)) - 0.1) / grain) * grain;
  const high = Math.ceil((logs.reduce((most, log) => Math.max(most, log)) + 0.1) / grain) * grain;
  return [Math.max(low, ends[0]), Math.min(high, ends[1])];
}

/** @param {NormsData} data @param {Limits} limits */
function ticksBetween({ grain, mostTicks }, [low, high]) {
  const [first, last] = [low / grain, high / grain];
  const step = 1 + Math.floor((last - first + 1) / mostTicks);
  const all = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  return all.filter((tick) => tick % step === 0).map((tick) => grain * tick);
}

/** @param {number[]} norms */
const rateOf = (norms) => (norms.at(-1) / norms[0]) ** (1 / (norms.length - 1));

/** @param {number[]} norms */
function normsHeadline(norms) {
  const rate = rateOf(norms);
  if (rate === 0) return "The gradient dies out";
  const word = rate > 0.99 && rate < 1.01 ? "keeps its size" : rate < 1 ? "vanishes" : "explodes";
  return `The gradient ${word}: times ${number(rate)} at every step back`;
}

/** @param {NormProfile} profile */
function normsInWords({ norms, bound }) {
  const [first, last] = [norms[0], norms.at(-1)];
  const allowed = `The bound allows ${number(bound.at(-1))}.`;
  if (last === 0) return `The gradient is ${number(first)} at lag 0 and zero, to 150 decimals, from lag ${norms.indexOf(0)} on. ${allowed}`;
  const verb = last < first ? "falls" : "grows";
  return (
    `The gradient norm ${verb} from ${number(first)} to ${number(last)} over ${norms.length - 1} steps, ` +
    `a factor of ${number(rateOf(norms), 3)} per step. ${allowed}`
  );
}
