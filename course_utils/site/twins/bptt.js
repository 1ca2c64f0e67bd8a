// Which step hears from which loss: the twin of explorers/gradients/bptt.py and plots/gradients/bptt.py.
/**
 * @typedef {{ U: string, W: string, inputs: string, sequences: number, nothing: number, colours: string[], ends: Limits,
 *   near: number }} BpttData
 */

/** @param {Frame & BpttData} data */
function bptt(data) {
  const [U, W, inputs] = [data.U, data.W, data.inputs].map(floatsIn);
  /** @param {Record<string, any>} places */
  return (places) => {
    const { radius, activation, gain, length: T } = controlsAt(data, places);
    const network = { W: W.map((w) => gain * w), U: U.map((u) => radius * u), activation };
    const norms = normsByPair(network, inputs, data.sequences, T).map((row) => row.map((norm) => (norm < data.nothing ? 0 : norm)));
    const last = norms[T - 1];
    const cells = norms.map((row, t) => row.map((norm, k) => (k > t ? null : colourOfPower(data, Math.log10(norm)))));
    const limits = { x: /** @type {Limits} */ ([0.5, T + 0.5]), y: /** @type {Limits} */ ([T + 0.5, 0.5]) };
    return {
      values: places, offers: {},
      ...drawnAs(data, [limits, { x: [0, 1], y: [0, 1] }], [{ cells }, { text: pairsHeadline(last, data.near) }]),
      words: pairsInWords(last, data.near),
      table: {
        headers: ["step k", "lag", `gradient of the loss of step ${T}`],
        rows: last.map((norm, k) => [k + 1, T - 1 - k, norm]).reverse(),
      },
    };
  };
}

// Return how long the gradient of every step's loss, half its state's squared length, is at every state
// before it: the mean of all sequences.
/** @param {{ W: Float64Array, U: Float64Array, activation: string }} network @param {Float64Array} inputs @param {number} sequences @param {number} T */
function normsByPair({ W, U, activation }, inputs, sequences, T) {
  const [g, slope] = ACTIVATIONS[activation];
  const H = Math.sqrt(U.length);
  const D = W.length / H;
  const none = new Float64Array(H);
  const turned = U.map((_, at) => U[(at % H) * H + Math.floor(at / H)]);
  const norms = Array.from({ length: T }, () => /** @type {number[]} */ (new Array(T).fill(0)));
  for (let one = 0; one < sequences; one++) {
    /** @type {Float64Array[][]} */
    const [states, slopes] = [[], []];
    for (let t = 0; t < T; t++) {
      const from = (t * sequences + one) * D;
      const a = product(U, states.at(-1) ?? none, product(W, inputs.subarray(from, from + D), none));
      slopes.push(a.map(slope));
      states.push(a.map(g));
    }
    for (let t = 0; t < T; t++) {
      let v = states[t];
      for (let k = t; ; k--) {
        norms[t][k] += Math.sqrt(v.reduce((sum, value) => sum + value * value, 0)) / sequences;
        if (!k) break;
        v = product(turned, v.map((value, n) => value * slopes[k][n]), none);
      }
    }
  }
  return norms;
}

/** @param {BpttData} data @param {number} power */
function colourOfPower({ colours, ends: [floor, ceiling] }, power) {
  const share = (Math.min(Math.max(power, floor), ceiling) - floor) / (ceiling - floor);
  return colours[Math.min(Math.floor(share * colours.length), colours.length - 1)];
}

/** @param {number[]} last @param {number} near */
function nearShare(last, near) {
  const sum = (/** @type {number[]} */ values) => values.reduce((all, value) => all + value, 0);
  return share(sum(last.slice(-near)) / sum(last));
}

/** @param {number[]} last @param {number} near */
function pairsHeadline(last, near) {
  if (!last.some((norm) => norm)) return "Every state is zero: no loss sends anything back";
  return `${nearShare(last, near)} of the last loss's gradient stays in the ${near} nearest steps`;
}

/** @param {number[]} last @param {number} near */
function pairsInWords(last, near) {
  const T = last.length;
  if (!last.some((norm) => norm)) return `The loss of step ${T} sends nothing back: every state is zero.`;
  return (
    `The loss of step ${T} sends ${number(last[T - 1])} to its own state and ${number(last[0])} to ` +
    `the first; the nearest ten states get ${nearShare(last, near)} of what it sends.`
  );
}
