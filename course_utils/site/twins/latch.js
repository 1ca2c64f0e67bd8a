// A latch set by hand: the twin of explorers/gates/latch.py and plots/gates/latch.py.
const LATCH_TOP = 1.6;
const LATCH_POINTS = 400;
const BIT_IS = 2; // the candidate of a bit is tanh of it

/** @param {Frame & { gap: number, noise: string }} data */
function latch(data) {
  const noise = floatsIn(data.noise);
  const runs = noise.length / (data.values.steps.at(-1) + 1);
  /** @param {Record<string, any>} places */
  return (places) => {
    const { bit, strength, noise: size, steps } = controlsAt(data, places);
    const [open, closed] = [sigmoid(strength), sigmoid(-strength)];
    const written = open * Math.tanh(BIT_IS * (2 * bit - 1));
    const cells = Array.from({ length: runs }, (_, run) => {
      const cell = [written];
      for (let t = 1; t <= steps; t++) cell.push(open * cell[t - 1] + closed * Math.tanh(BIT_IS * size * noise[t * runs + run]));
      return cell;
    });
    const kept = [written];
    for (let t = 1; t <= steps; t++) kept.push(kept[t - 1] * open);
    const ends = cells.map((cell) => cell[steps]);
    const right = ends.filter((end) => Math.sign(end) === 2 * bit - 1).length;
    const every = 1 + Math.floor((steps + 1) / LATCH_POINTS);
    const along = (/** @type {number[]} */ values) => values.map((value, t) => /** @type {Point} */ ([t, value]));
    const y = /** @type {Limits} */ ([-LATCH_TOP, LATCH_TOP]);
    return {
      values: places, offers: {},
      ...drawnAs(data, [{ x: [0, steps], y }], [
        { up: written > 0 ? -LATCH_TOP : 0 },
        { lines: cells.map((cell) => along(cell).filter((_, t) => t % every === 0)) },
        { points: along(kept) },
        ...endLabels([medianOf(ends), kept[steps]], y, data.gap),
        { text: `${right} of ${runs} cells still know the bit after ${steps} steps` },
      ]),
      words:
        `While it holds, the forget gate stands at ${open.toFixed(6)} and the input gate at ${closed.toFixed(6)}. After ` +
        `${steps} steps ${right} of ${runs} cells have the sign of the bit; their mean is ${fixed(meanOf(ends), 2)}, and ` +
        `the forget gate alone would have left ${fixed(kept[steps], 2)}.`,
      table: {
        headers: ["step", "kept by f alone", "cell 1", "cell 2", "cell 3"],
        rows: kept.map((value, t) => [t, value, ...[0, 1, 2].map((run) => cells[run][t])]).filter((_, t) => t % Math.max(1, Math.floor((steps + 1) / 20)) === 0),
      },
    };
  };
}

// Return numbers that explorers/machinery/frame.py packed.
/** @param {string} letters */
function floatsIn(letters) {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  return new Float64Array(bytes.buffer);
}
