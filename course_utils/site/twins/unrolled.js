// One unit over four steps, forward and back: the twin of explorers/language/unrolled.py,
// analysis/language/unrolled.py and plots/language/unrolled.py.
/**
 * @typedef {{ h: number[], loss: number[], dh: number[], du: number[] }} Unit
 * @typedef {Looks & { values: Record<string, any[]>, inputs: number[], targets: number[] }} UnrolledData
 */

/** @param {UnrolledData} data */
function unrolled(data) {
  const draw = drawnIn(data);
  /** @param {Record<string, any>} places */
  return (places) => {
    const { moment, u, w } = controlsAt(/** @type {any} */ (data), places);
    const unit = unitRun(data, u, w);
    return {
      values: places, offers: {}, size: data.chart.size, parts: draw(signsOfUnit(data, unit, moment)), words: unitInWords(data, unit, moment),
      table: {
        headers: ["step", "x", "target", "h", "loss", "dJ/dh", "term of dJ/du"],
        rows: data.inputs.map((x, t) => [t + 1, x, data.targets[t], unit.h[t], unit.loss[t], unit.dh[t], unit.du[t]]),
      },
    };
  };
}

// Run the unit forward, then walk the chain rule back, one step at a time.
/** @param {UnrolledData} data @param {number} u @param {number} w @returns {Unit} */
function unitRun({ inputs, targets }, u, w) {
  /** @type {number[]} */
  const h = [];
  for (const [t, x] of inputs.entries()) h.push(Math.tanh(w * x + u * (t ? h[t - 1] : 0)));
  const [dh, du] = [new Array(h.length), new Array(h.length)];
  let fromLater = 0;
  for (let t = h.length - 1; t >= 0; t--) {
    dh[t] = h[t] - targets[t] + fromLater;
    const da = dh[t] * (1 - h[t] ** 2);
    du[t] = da * (t ? h[t - 1] : 0);
    fromLater = da * u;
  }
  return { h, loss: h.map((value, t) => (value - targets[t]) ** 2 / 2), dh, du };
}

/** @param {UnrolledData} data @param {Unit} unit @param {number} moment @returns {(Sign | null)[]} */
function signsOfUnit({ inputs }, unit, moment) {
  const T = inputs.length;
  const backFrom = T - Math.max(0, moment - T);
  const steps = inputs.map((x, t) => ({ x, t, reached: moment > t, returned: t >= backFrom }));
  const looks = steps.flatMap(({ reached, returned }) => Array.from({ length: 3 }, () => ({ look: returned ? "backward" : reached ? "forward" : "faint" })));
  const said = (/** @type {boolean} */ isSeen, /** @type {string} */ text) => (isSeen ? { text } : null);
  return [
    ...looks, ...looks,
    ...steps.flatMap(({ x, t, reached }) => [x, unit.h[t], unit.loss[t]].map((value) => said(reached, fixed(value, 2)))),
    ...steps.map(({ t, returned }) => said(returned, withSign(unit.dh[t], 2))),
    ...steps.map(({ t, returned }) => said(returned, withSign(unit.du[t], 3))),
    ...steps.map(() => ({ look: "faint" })),
    { text: unitHeadline(unit, moment) },
  ];
}

/** @param {number} value @param {number} decimals */
const withSign = (value, decimals) => (value < 0 ? "" : "+") + fixed(value, decimals);

/** @param {Unit} unit @param {number} moment */
function unitHeadline({ h, du }, moment) {
  const T = h.length;
  if (!moment) return `One unit over ${T} steps, with the same u and w at each`;
  if (moment <= T) return `Forward: step ${moment} gives h = ${fixed(h[moment - 1], 2)}`;
  const t = 2 * T - moment + 1;
  return `Backward: step ${t} adds ${withSign(du[t - 1], 3)} to dJ/du`;
}

/** @param {UnrolledData} data @param {Unit} unit @param {number} moment */
function unitInWords({ inputs }, { h, loss, dh, du }, moment) {
  const T = h.length;
  if (!moment) return "Nothing has been computed yet: move the walk.";
  if (moment <= T) {
    const n = moment - 1;
    return (
      `Forward, step ${moment}: the input ${fixed(inputs[n], 2)} and the state before give h = ${fixed(h[n], 2)}; ` +
      `its loss is ${fixed(loss[n], 3)}.`
    );
  }
  const t = 2 * T - moment + 1;
  const summed = du.slice(t - 1).reduce((sum, term) => sum + term, 0);
  return (
    `Backward, step ${t}: dJ/dh = ${withSign(dh[t - 1], 2)} from its own loss${t < T ? " and from all later ones" : ""}. It adds ` +
    `${withSign(du[t - 1], 3)} to dJ/du, which makes ${withSign(summed, 3)} so far.`
  );
}
