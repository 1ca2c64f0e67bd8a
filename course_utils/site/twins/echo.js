// One unit and one pulse: the twin of explorers/start.py and plots/start.py.

/** @param {Frame} data */
function echo(data) {
  /** @param {Record<string, any>} places */
  return (places) => {
    const { recurrent_weight: weight, pulse, steps } = controlsAt(data, places);
    const states = [0, Math.tanh(pulse)];
    for (let t = 2; t <= steps; t++) states.push(Math.tanh(weight * states[t - 1]));
    const loud = states.findLastIndex((state) => Math.abs(state) > 0.1 * Math.abs(states[1]));
    const until = loud === steps ? null : Math.max(loud, 0);
    const y = /** @type {Limits} */ ([states.some((state) => state < 0) ? -1.05 : -0.08, 1.05]);
    const points = states.map((state, t) => /** @type {Point} */ ([t, state]));
    return {
      values: places, offers: {},
      ...drawnAs(data, [{ x: [-0.5, steps + 0.5], y }], [{ points }, { text: echoHeadline(states, until) }]),
      words: echoInWords(weight, states, until),
      table: { headers: ["step t", "state h_t"], rows: points },
    };
  };
}

/** @param {number[]} states @param {number | null} until */
function echoHeadline(states, until) {
  if (states[1] === 0) return "No pulse, nothing to remember";
  return until === null ? "The pulse is remembered to the end" : `The pulse is heard until step ${until}`;
}

/** @param {number} weight @param {number[]} states @param {number | null} until */
function echoInWords(weight, states, until) {
  if (states[1] === 0) return "Without a pulse there is nothing to remember: the state stays at zero.";
  const start = `With recurrent weight ${general(weight)} the pulse lifts the state to ${fixed(states[1], 2)}`;
  if (until === null) {
    const size = fixed(Math.abs(states.at(-1)), 2);
    const flips = weight < 0 ? " and flips its sign at every step" : "";
    return `${start}${flips}; after ${states.length - 1} steps its size is still ${size}.`;
  }
  if (until <= 1) return `${start}; one step later less than a tenth is left.`;
  return `${start}; from step ${until + 1} on less than a tenth of that is left.`;
}
