// One cell over a^n b^n, its gates set by hand or its sums rounded: the twins of
// explorers/counting/gates.py and precision.py, with their drawings.
const MOST_ROUNDED = 600; // points of a line

/** @param {Frame & { limit: number }} data */
function setByHand(data) {
  /** @param {Record<string, any>} places */
  return (places) => {
    const { forget, write, at_a, at_b, n } = controlsAt(data, places);
    const f = sigmoid(forget);
    const [up, down] = [at_a, at_b].map((at) => sigmoid(write) * Math.tanh(at));
    const total = (/** @type {number} */ m) => (f < 1 ? (1 - f ** m) / (1 - f) : m);
    const top = up * total(n);
    const cell = Array.from({ length: 2 * n + 1 }, (_, t) => (t <= n ? up * total(t) : f ** (t - n) * top + down * total(t - n)));
    const longest = longestWith(total, f, up, down, data.limit);
    const [first, fell] = [cell[1], cell[n + 1] - cell[n]];
    const perfect = cell.map((_, t) => first * (n - Math.abs(t - n)));
    const [low, high] = [Math.min(0, ...cell, ...perfect), Math.max(0, ...cell, ...perfect)];
    const room = 0.1 * Math.max(high - low, 0.1);
    const text = handHeadline(longest, data.limit);
    const power = RAISED_NUMBER(n);
    const said = (/** @type {number} */ value) => number(value, 3);
    return {
      values: places, offers: {},
      ...drawnAs(data, [{ x: [0, 1.02 * 2 * n], y: [low - room, high + room] }], oneCell(cell.map((_, t) => t), perfect, cell, text)),
      words:
        `The first a adds ${said(first)}, the first b ${said(fell)}. After a${power} the cell is at ${said(cell[n])}, after ` +
        `a${power} b${power} at ${said(cell[2 * n])}. ${text}.`,
      table: { headers: ["letters read", "cell"], rows: [...new Set(spread(2 * n, 21))].map((t) => [t, cell[t]]) },
    };
  };
}

// Return the n up to which one threshold tells a^n b^n from all others.
/** @param {(m: number) => number} total @param {number} f @param {number} up @param {number} down @param {number} limit */
function longestWith(total, f, up, down, limit) {
  if (up <= 0) return 0;
  const after = (/** @type {number} */ a, /** @type {number} */ b) => up * total(a) * f ** b + down * total(b);
  const threshold = (after(1, 0) + after(1, 1)) / 2;
  for (let n = 1; n <= limit; n++) if (!(after(n, n - 1) > threshold && after(n, n) < threshold && down < 0)) return n - 1;
  return limit;
}

/** @param {number} longest @param {number} limit */
function handHeadline(longest, limit) {
  if (!longest) return "It does not count: even ab goes wrong";
  return longest >= limit ? `It counts: right up to n = ${limit}, the largest tried` : `It counts up to n = ${longest}`;
}

/** @param {Frame & { formats: Record<string, number> }} data */
function roundedCount(data) {
  /** @param {Record<string, any>} places */
  return (places) => {
    const { format, bits: own, step: asked, n } = controlsAt(data, places);
    const bits = data.formats[format] ?? own;
    const step = roundedTo(asked, bits);
    const cell = [0];
    for (const sign of [1, -1]) for (let t = 0; t < n; t++) cell.push(roundedTo(cell.at(-1) + sign * step, bits));
    const half = Math.abs(step) / 2;
    const last = 2 * n;
    const accepted = Math.abs(cell[last]) < half && cell.slice(1, -1).every((c) => c > half);
    const some = [...new Set(spread(last, MOST_ROUNDED))];
    const exact = (/** @type {number} */ t) => step * (n - Math.abs(t - n));
    const most = cell.reduce((high, c) => Math.max(high, c), -Infinity);
    const high = Math.max(...some.map(exact), most, 1e-9);
    const low = cell.reduce((least, c) => Math.min(least, c), 0);
    const power = RAISED_NUMBER(n);
    const verdict = accepted ? "accepted" : "refused";
    const every = Math.max(1, Math.floor(last / 20));
    const shown = [...new Set([...Array.from({ length: Math.floor(last / every) + 1 }, (_, k) => k * every), n, last])].sort((a, b) => a - b);
    return {
      values: places, offers: {},
      ...drawnAs(data, [{ x: [0, 1.02 * last], y: [low - 0.08 * high, 1.1 * high] }], oneCell(
        some, some.map(exact), some.map((t) => cell[t]), `${bits} significant bits: a${power} b${power} is ${verdict}`,
      )),
      words:
        `With ${bits} significant bits and ${number(step, 4)} per letter the cell reaches ${number(most, 5)} where ` +
        `${number(n * step, 5)} is right, and ends at ${number(cell[last], 4)}: a${power} b${power} is ${verdict}. For steps ` +
        `of a power of two the last n is 2${RAISED_NUMBER(bits)} = ${String(2 ** bits).replace(/\B(?=(\d{3})+$)/g, ",")}.`,
      table: { headers: ["letters read", "cell", "without rounding"], rows: shown.map((t) => [t, cell[t], exact(t)]) },
    };
  };
}

// Return a number rounded to so many significant bits, ties to even.
/** @param {number} value @param {number} bits */
function roundedTo(value, bits) {
  if (!value) return value;
  let exponent = Math.floor(Math.log2(Math.abs(value))) + 1;
  if (Math.abs(value) < 2 ** (exponent - 1)) exponent--;
  else if (Math.abs(value) >= 2 ** exponent) exponent++;
  const scaled = value * 2 ** (bits - exponent);
  const whole = Math.floor(scaled);
  const part = scaled - whole;
  const up = part > 0.5 || (part === 0.5 && whole % 2 !== 0);
  return (whole + Number(up)) * 2 ** (exponent - bits);
}

// Return what moves: what the cell should be, the cell, its end, the headline.
/** @param {number[]} steps @param {number[]} right @param {number[]} cell @param {string} text @returns {Shown[]} */
function oneCell(steps, right, cell, text) {
  const along = (/** @type {number[]} */ values) => values.map((value, k) => /** @type {Point} */ ([steps[k], value]));
  return [{ points: along(right) }, { points: along(cell) }, { points: along(cell).slice(-1) }, { text }];
}
