// The equation of every stop in symbols and numbers, and what the belts carry: the twins of
// plots/gates/equations.py and flows.py.
/** @typedef {{ word: number, state: number, bias: number, inner: number }} GateSum */
const GAP = "\u2003\u2003";
/** @type {Record<string, string>} */
const GATE_OF = { forget: "f", input: "i", candidate: "g", output: "o", update: "z", reset: "r" };

/** @param {string} kind @param {Record<string, number>} v @returns {Record<string, number>} */
function flowsForward(kind, v) {
  if (kind === "lstm") {
    const read = Math.tanh(v.c);
    return { old: v.c_prev, kept: v.f * v.c_prev, proposed: v.g, written: v.i * v.g, sum: v.c, new: v.c, branch: v.c, read, shown: v.o * read };
  }
  const felt = "felt" in v ? { felt: v.felt, heard: v.r * v.felt } : {};
  return { old: v.h_prev, kept: v.z * v.h_prev, proposed: v.n, written: (1 - v.z) * v.n, sum: v.h, new: v.h, ...felt };
}

/** @param {string} kind @param {Record<string, number>} v @param {Record<string, number>} d @param {number} arriving @returns {Record<string, number>} */
function flowsBack(kind, v, d, arriving) {
  if (kind === "lstm") {
    const read = d.h * v.o;
    const branch = read * (1 - Math.tanh(v.c) ** 2);
    return { shown: d.h, read, branch, new: arriving, sum: d.c, written: d.c, proposed: d.c * v.i, kept: d.c, old: d.c * v.f };
  }
  const heard = d.n * (1 - v.n ** 2);
  return { new: arriving, sum: d.h, written: d.h, proposed: d.h * (1 - v.z), heard, felt: heard * v.r, kept: d.h, old: d.h * v.z };
}

/** @param {Places} places @param {string} kind @param {string} stop @param {Record<string, number>} v @param {Record<string, GateSum>} sums @returns {[string, string]} */
function equationOf(places, kind, stop, v, sums) {
  const symbols = places.symbols[`${kind} ${stop}`];
  const n = signedNumber;
  if (kind === "gru" && stop === "candidate") {
    const sum = sums.n;
    const total = sum.word + sum.bias + v.r * (sum.state + sum.inner);
    const inside = `${n(sum.word)} ${plus(sum.bias)} + ${n(v.r)} × (${n(sum.state)} ${plus(sum.inner)})`;
    return [symbols, `tanh(${inside}) = tanh(${n(total)}) = ${n(v.n)}`];
  }
  if (stop === "cell") return [symbols, mixed([v.f, v.c_prev], [v.i, v.g], v.c)];
  if (stop === "state") return [symbols, mixed([1 - v.z, v.n], [v.z, v.h_prev], v.h)];
  const name = GATE_OF[stop];
  const squash = name === "g" ? "tanh" : "σ";
  const { word, state, bias } = sums[name];
  let numbers = `${squash}(${n(word)} ${plus(state)} ${plus(bias)}) = ${squash}(${n(word + state + bias)}) = ${n(v[name])}`;
  if (stop === "output") numbers += `${GAP}${n(v.o)} × tanh(${n(v.c)}) = ${n(v.h)}`;
  return [symbols, numbers];
}

/** @param {[number, number]} a @param {[number, number]} b @param {number} result */
function mixed(a, b, result) {
  const products = `${signedNumber(a[0] * a[1])} ${plus(b[0] * b[1])}`;
  return `${times(a)} + ${times(b)} = ${products} = ${signedNumber(result)}`;
}

/** @param {[number, number]} factors */
function times([a, b]) {
  const second = signedNumber(b);
  return `${signedNumber(a)} × ${second.startsWith("−") ? `(${second})` : second}`;
}

/** @param {number} value */
function plus(value) {
  const shown = signedNumber(value);
  return shown.startsWith("−") ? `− ${shown.slice(1)}` : `+ ${shown}`;
}

/** @param {Places} places @param {string} kind @param {string} stop @param {Record<string, number>} v @param {Record<string, number>} d @param {Record<string, number>} flows @returns {[string, string]} */
function equationBack(places, kind, stop, v, d, flows) {
  const [asked, product] = places.back[`${kind} ${stop}`];
  const memory = flows.sum;
  const symbols = `${asked} = ${product}`;
  if (stop === "cell" || stop === "state") {
    const rest = memory - flows.new;
    return [symbols, `${number(flows.new)} ${rest < 0 ? "−" : "+"} ${number(Math.abs(rest))} = ${number(memory)}`];
  }
  /** @type {Record<string, () => [number[], number]>} */
  const every = {
    output: () => [[d.h, v.o, 1 - Math.tanh(v.c) ** 2], flows.branch],
    candidate: () => [[memory, kind === "lstm" ? v.i : 1 - v.z], flows.proposed],
    input: () => [[memory, v.g], d.i],
    reset: () => [[d.n, 1 - v.n ** 2, v.felt], d.r],
    forget: () => [[memory, v.f], flows.old],
    update: () => [[memory, v.z], flows.old],
  };
  const [factors, result] = every[stop]();
  const [first, ...others] = factors.map((factor) => number(factor));
  const sides = [first, ...others.map((one) => (one.startsWith("−") ? `(${one})` : one))].join(" × ");
  return [symbols, `${sides} = ${number(result)}`];
}
