// The cells, step by step, in the lectures' symbols: the twin of course_utils/models/steps.py. A matrix
// is its rows one after the other; what is returned holds T rows of H numbers.
/**
 * @typedef {object} Layer
 * @property {"lstm" | "gru" | "elman" | "tanh"} kind an Elman network's units are ReLU or tanh
 * @property {number} D
 * @property {number} H
 * @property {ArrayLike<number>} W rows of all gates
 * @property {ArrayLike<number>} U
 * @property {ArrayLike<number>} b
 * @property {ArrayLike<number>} inner the bias beside U
 *
 * @typedef {Record<string, Float64Array>} Values gate or state -> (T, H)
 */
const GATES = { lstm: "ifgo", gru: "rzn", elman: "", tanh: "" }; // in PyTorch's order of the rows

/** @param {number} a */
const sigmoid = (a) => 1 / (1 + Math.exp(-a));

// Return one row of a matrix times a vector.
/** @param {ArrayLike<number>} matrix @param {number} row @param {ArrayLike<number>} vector @param {number} from @param {number} width */
function dot(matrix, row, vector, from, width) {
  let sum = 0;
  for (let k = 0, at = row * width; k < width; k++, at++) sum += matrix[at] * vector[from + k];
  return sum;
}

/** @typedef {{ h: Float64Array, c?: Float64Array }} StateOfCell */

// Let a layer read T vectors, from a state of zeros or from another; every gate and state comes back.
/** @param {Layer} layer @param {ArrayLike<number>[]} x @param {StateOfCell} [start] @returns {Values} */
function trace(layer, x, start) {
  const { kind, H } = layer;
  /** @type {Values} */
  const values = {};
  for (const name of `${GATES[kind]}${kind === "lstm" ? "ch" : "h"}`)
    values[name] = new Float64Array(x.length * H);
  let { h, c: memory } = start ?? { h: new Float64Array(H), c: new Float64Array(H) };
  let k = 0;
  for (let t = 0; t < x.length; t++) {
    const words = product(layer.W, x[t], layer.b);
    const states = product(layer.U, h, layer.inner);
    const word = (/** @type {number} */ gate) => words[gate * H + k];
    const state = (/** @type {number} */ gate) => states[gate * H + k];
    for (k = 0; k < H; k++) {
      const at = t * H + k;
      if (kind === "lstm") {
        const i = sigmoid(word(0) + state(0));
        const f = sigmoid(word(1) + state(1));
        const g = Math.tanh(word(2) + state(2));
        const o = sigmoid(word(3) + state(3));
        const c = f * memory[k] + i * g;
        values.i[at] = i;
        values.f[at] = f;
        values.g[at] = g;
        values.o[at] = o;
        values.c[at] = c;
        values.h[at] = o * Math.tanh(c);
      } else if (kind === "elman") {
        values.h[at] = Math.max(0, word(0) + state(0));
      } else if (kind === "tanh") {
        values.h[at] = Math.tanh(word(0) + state(0));
      } else {
        const r = sigmoid(word(0) + state(0));
        const z = sigmoid(word(1) + state(1));
        const n = Math.tanh(word(2) + r * state(2));
        values.r[at] = r;
        values.z[at] = z;
        values.n[at] = n;
        values.h[at] = (1 - z) * n + z * h[k];
      }
    }
    h = values.h.subarray(t * H, (t + 1) * H);
    memory = values.c?.subarray(t * H, (t + 1) * H);
  }
  return values;
}

// Return dJ/d(gate or state) of one unit at every word, where J is its memory at the last one.
/** @param {Layer} layer @param {Values} values @param {number} unit @returns {Record<string, number[]>} */
function traceBack(layer, values, unit) {
  const T = values.h.length / layer.H;
  /** @type {Record<string, number[]>} */
  const found = Object.fromEntries(Object.keys(values).map((name) => [name, new Array(T).fill(0)]));
  sendBack(layer, values, {
    begin: (t, dh, dc) => {
      if (t === T - 1) (layer.kind === "lstm" ? dc : dh)[unit] = 1;
    },
    unit: (t, k, d) => {
      if (k === unit) for (const [name, gradient] of Object.entries(d)) found[name][t] = gradient;
    },
  });
  return found;
}

// Send gradients back through a layer, the last word first. `begin` adds what comes from elsewhere than
// from the words after it; `unit` hears every unit's gradients, `end` those of the sums before the
// squashing functions.
/**
 * @param {Layer} layer @param {Values} values
 * @param {{ begin: (t: number, dh: Float64Array, dc: Float64Array) => void,
 *   unit?: (t: number, k: number, d: Record<string, number>) => void, end?: (t: number, sums: Float64Array) => void }} hear
 */
function sendBack(layer, values, { begin, unit, end }) {
  const { kind, H } = layer;
  const T = values.h.length / H;
  const G = GATES[kind].length;
  let dh = new Float64Array(H);
  let dc = new Float64Array(H);
  for (let t = T - 1; t >= 0; t--) {
    begin(t, dh, dc);
    const sums = new Float64Array(G * H); // dJ/d(sum before the squashing function), for U
    const dhBefore = new Float64Array(H);
    const dcBefore = new Float64Array(H);
    for (let k = 0; k < H; k++) {
      const at = t * H + k;
      const v = (/** @type {string} */ name) => values[name][at];
      const past = (/** @type {string} */ name) => (t ? values[name][at - H] : 0);
      /** @type {Record<string, number>} */
      let d;
      if (kind === "lstm") {
        const shown = Math.tanh(v("c"));
        const c = dc[k] + dh[k] * v("o") * (1 - shown ** 2);
        d = { h: dh[k], o: dh[k] * shown, c, i: c * v("g"), f: c * past("c"), g: c * v("i") };
        for (const [gate, name] of [..."ifo"].map((name) => /** @type {const} */ (["ifgo".indexOf(name), name])))
          sums[gate * H + k] = d[name] * v(name) * (1 - v(name));
        sums[2 * H + k] = d.g * (1 - v("g") ** 2);
        dcBefore[k] = c * v("f");
      } else {
        const n = dh[k] * (1 - v("z"));
        const inside = n * (1 - v("n") ** 2);
        const felt = felts(layer, values, t, k);
        d = { h: dh[k], z: dh[k] * (past("h") - v("n")), n, r: inside * felt };
        sums[k] = d.r * v("r") * (1 - v("r"));
        sums[H + k] = d.z * v("z") * (1 - v("z"));
        sums[2 * H + k] = inside * v("r");
        dhBefore[k] = dh[k] * v("z");
      }
      unit?.(t, k, d);
    }
    end?.(t, sums);
    addBack(layer.U, sums, dhBefore);
    dh = dhBefore;
    dc = dcBefore;
  }
}

// Add to a vector what sums send back through their matrix.
/** @param {ArrayLike<number>} matrix @param {ArrayLike<number>} sums @param {Float64Array} to */
function addBack(matrix, sums, to) {
  for (let row = 0; row < sums.length; row++) {
    const sum = sums[row];
    if (sum) for (let k = 0, at = row * to.length; k < to.length; k++, at++) to[k] += sum * matrix[at];
  }
}

// Return what the candidate of a GRU hears of the old state before the reset gate.
/** @param {Layer} layer @param {Values} values @param {number} t @param {number} k */
function felts(layer, values, t, k) {
  const { H } = layer;
  const heard = t ? dot(layer.U, 2 * H + k, values.h, (t - 1) * H, H) : 0;
  return heard + layer.inner[2 * H + k];
}
