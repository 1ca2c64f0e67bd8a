// Walk through any sentence with a trained LSTM or GRU, on the page itself: the twin of
// explorers/gates/walk.py and plots/gates/walk.py.
/**
 * @typedef {Places & { title: string, sentences: string[], ways: [string, string][], kinds: string[],
 *   storyUnits: Record<string, number>, twins: Record<string, string> }} WalkData
 * @typedef {{ kind: "lstm" | "gru", layer: Layer, x: Float32Array[], words: string[], strange: string[],
 *   leftOut: number, values: Values }} Walk
 * @typedef {{ cell?: number, sentence: number, own: string, unit: number, way: number, step: number }} WalkValues
 */
const MOST_TOKENS = 30;
/** @type {Record<string, string>} */
const MEMORY = { lstm: "c", gru: "h" };
/** @type {Record<string, string>} */
const ROW_OF = { forget: "f", input: "i", cell: "c", output: "o", update: "z", reset: "r", state: "h" };

/** @param {WalkData} data @param {Record<string, Model>} models @param {WalkValues} start */
function gateWalk(data, models, start) {
  /** @type {Map<string, Walk>} */
  const read = new Map();
  let kindBefore = data.kinds[start.cell ?? 0];
  /** @type {string[]} */
  let offered;

  /** @param {"lstm" | "gru"} kind @param {string} text @returns {Walk} */
  const walkOf = (kind, text) => {
    const place = `${kind} ${text}`;
    if (!read.has(place)) {
      const model = models[`word_${kind}`];
      const tokens = typedTokens(text);
      if (!tokens.length) throw new Error("there is no word to read: type a sentence, or choose one from the list");
      const words = tokens.slice(0, MOST_TOKENS);
      const layer = layerOf(model, kind);
      const x = embedded(model, words);
      const strange = words.filter((word) => !model.numbers.has(word));
      read.set(place, { kind, layer, x, words, strange, leftOut: Math.max(0, tokens.length - MOST_TOKENS), values: trace(layer, x) });
    }
    return read.get(place);
  };
  /** @param {string} kind @param {number} step @param {number} T @param {string} way @returns {[number, string]} */
  const placeOf = (kind, step, T, way) => {
    const { stops } = data.layouts[kind];
    const at = Math.min(step, T * stops.length - 1);
    const [t, stop] = [Math.floor(at / stops.length), at % stops.length];
    return way === "back" ? [T - 1 - t, stops[stops.length - 1 - stop]] : [t, stops[stop]];
  };
  /** @param {Walk} walk @param {string} way */
  const namesOf = ({ kind, words }, way) =>
    Array.from({ length: words.length * data.layouts[kind].stops.length }, (_, step) => {
      const [t, stop] = placeOf(kind, step, words.length, way);
      return `${t + 1} ${readable(words[t])} · ${stop}`;
    });
  // Return the step at which the new cell does at the same word what the old one did.
  /** @param {number} step @param {Walk} walk @param {string} way */
  const samePlace = (step, { kind, words }, way) => {
    const T = words.length;
    if (step >= T * data.layouts[kindBefore].stops.length) return 0;
    let [t, stop] = placeOf(kindBefore, step, T, way);
    const { stops } = data.layouts[kind];
    let at = stops.indexOf(data.twins[stop] ?? stop);
    if (way === "back") [t, at] = [T - 1 - t, stops.length - 1 - at];
    return t * stops.length + at;
  };

  // Put the controls in order, as set_controls does, and return what is seen.
  /** @param {WalkValues} given */
  const update = (given) => {
    const values = { ...given };
    const kind = /** @type {"lstm" | "gru"} */ (data.kinds[values.cell ?? 0]);
    const way = data.ways[values.way][1];
    const walk = walkOf(kind, values.own.trim() ? values.own.slice(0, 2000) : data.sentences[values.sentence]);
    const names = namesOf(walk, way);
    if (kind !== kindBefore && values.unit === data.storyUnits[kindBefore]) values.unit = data.storyUnits[kind];
    if (offered && names.join("\n") !== offered.join("\n")) values.step = kind !== kindBefore ? samePlace(values.step, walk, way) : 0;
    offered = names;
    kindBefore = kind;
    const [t, stop] = placeOf(kind, values.step, walk.words.length, way);
    return { values, offers: { step: names }, ...seen(data, walk, values.unit, t, stop, way === "back") };
  };
  return update;
}

/** @param {WalkData} data @param {Walk} walk @param {number} unit @param {number} t @param {string} stop @param {boolean} back */
function seen(data, walk, unit, t, stop, back) {
  const { kind, layer, words } = walk;
  const { H } = layer;
  const T = words.length;
  const memory = MEMORY[kind];
  const rows = Object.fromEntries(Object.keys(data.rows[kind]).map((name) =>
    [name, Array.from({ length: T }, (_, at) => walk.values[name][at * H + unit])]));
  const sums = sumsAt(walk, unit, t);
  const gradients = back ? traceBack(layer, walk.values, unit) : null;
  /** @param {number} at */
  const valuesAt = (at) => {
    /** @type {Record<string, number>} */
    const v = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row[at]]));
    for (const state of "ch") if (state in rows) v[`${state}_prev`] = at ? rows[state][at - 1] : 0;
    if (kind === "gru" && at === t) v.felt = sums.n.state + sums.n.inner;
    return v;
  };
  /** @param {number} at */
  const flowsAt = (at) => {
    const v = valuesAt(at);
    if (!gradients) return flowsForward(kind, v);
    const d = Object.fromEntries(Object.entries(gradients).map(([name, row]) => [name, row[at]]));
    const keeper = kind === "lstm" ? "f" : "z";
    const arriving = at + 1 === T ? 1 : gradients[memory][at + 1] * rows[keeper][at + 1];
    return flowsBack(kind, v, d, arriving);
  };
  const v = valuesAt(t);
  const flows = flowsAt(t);
  let scale = 1;
  for (let at = 0; at < T; at++)
    for (const [key, value] of Object.entries(flowsAt(at)))
      if (key !== "felt" && key !== "heard") scale = Math.max(scale, Math.abs(value));
  const d = gradients && Object.fromEntries(Object.entries(gradients).map(([name, row]) => [name, row[t]]));
  const [symbols, numbers] = d ? equationBack(data, kind, stop, v, d, flows) : equationOf(data, kind, stop, v, sums);
  const row = ROW_OF[stop] ?? (kind === "lstm" ? "g" : "n");
  const top = data.at.HEIGHT + 55;
  const strip = {
    words, t, rows,
    lineName: back ? `∂J/∂${memory}_t` : data.rows[kind][memory],
    lineLook: back ? "" : memory,
    line: back ? gradients[memory] : rows[memory],
    labels: Object.entries(data.rows[kind]).filter(([name]) => name !== memory),
    filled: row === memory ? null : row,
  };
  const { WIDTH, HEIGHT } = data.at;
  const equation = tag(
    "g",
    { data_key: "equation" },
    lineOfText([formula(symbols, 22)], WIDTH / 2, HEIGHT + 21, "symbols", { text_anchor: "middle", font_size: 22 }),
    lineOfText([plain(numbers)], WIDTH / 2, HEIGHT + 46, "numbers", { text_anchor: "middle", font_size: 20 }),
  );
  const parts = {
    cell: drawCell(data, { kind, stop, values: v, flows, scale, word: words[t], back }),
    equation,
    strip: drawStrip(data, strip, top),
  };
  const where = `Word ${t + 1} of ${T}, “${said(words[t])}”, unit ${unit}, ${stop}: `;
  const meaning = d ? meaningBack(walk, stop, v, d, flows, memory) : MEANING[stop](v, kind);
  const text = [where + meaning, `(${numbers.trim()})`, ...notesOn(walk)].join(" ");
  const back_ = gradients ? Object.entries(gradients) : [];
  const table = {
    headers: ["word", ...Object.values(data.rows[kind]), ...back_.map(([name]) => `∂J/∂${name}`)],
    rows: words.map((word, at) => [readable(word), ...Object.values(rows).map((one) => one[at]), ...back_.map(([, one]) => one[at])]),
  };
  /** @type {[number, number]} */
  const size = [WIDTH, top + STRIP_HEIGHT];
  return { size, parts, words: text, table };
}

/** @param {Walk} walk @param {number} unit @param {number} t @returns {Record<string, GateSum>} */
function sumsAt({ kind, layer, x, values }, unit, t) {
  const { D, H } = layer;
  return Object.fromEntries([...GATES[kind]].map((name, gate) => {
    const row = gate * H + unit;
    const state = t ? dot(layer.U, row, values.h, (t - 1) * H, H) : 0;
    const apart = name === "n"; // the reset gate acts on the bias beside U
    const bias = layer.b[row] + (apart ? 0 : layer.inner[row]);
    return [name, { word: dot(layer.W, row, x[t], 0, D), state, bias, inner: apart ? layer.inner[row] : 0 }];
  }));
}

/** @param {string} word */
const said = (word) => (word.includes("\n") ? "new paragraph" : word);

/** @type {Record<string, (v: Record<string, number>, kind: string) => string>} */
const MEANING = {
  forget: (v) => `the forget gate keeps ${share(v.f)} of the old memory ${signedNumber(v.c_prev)}.`,
  input: (v) => `the input gate lets ${share(v.i)} of the candidate in.`,
  candidate: (v, kind) => `the candidate is ${signedNumber(kind === "lstm" ? v.g : v.n)}.`,
  cell: (v) => `the memory goes from ${signedNumber(v.c_prev)} to ${signedNumber(v.c)}.`,
  output: (v) => `the output gate shows ${share(v.o)} of the memory: h is ${signedNumber(v.h)}.`,
  update: (v) => `the update gate keeps ${share(v.z)} of the old state ${signedNumber(v.h_prev)}.`,
  reset: (v) => `the reset gate lets the candidate hear ${share(v.r)} of the old state.`,
  state: (v) => `the state goes from ${signedNumber(v.h_prev)} to ${signedNumber(v.h)}.`,
};

/** @param {Walk} walk @param {string} stop @param {Record<string, number>} v @param {Record<string, number>} d @param {Record<string, number>} flows @param {string} memory */
function meaningBack(walk, stop, v, d, flows, memory) {
  const goal = `J, the memory at the last word, “${said(walk.words.at(-1))}”,`;
  if (stop === "cell" || stop === "state") return `here ${goal} answers to the memory with the gradient ${number(d[memory])}.`;
  /** @type {Record<string, () => string>} */
  const through = {
    output: () => `of its gradient, ${number(flows.branch)} reach the cell through h`,
    forget: () => `the forget gate lets ${share(v.f)} of the gradient ${number(d[memory])} through to the word before`,
    update: () => `the update gate lets ${share(v.z)} of the gradient ${number(d[memory])} through to the word before`,
    candidate: () => `the candidate hears ${number(flows.proposed)} of it`,
    input: () => `the input gate's own gradient is ${number(d.i)}`,
    reset: () => `the reset gate's own gradient is ${number(d.r)}`,
  };
  return `${through[stop]()}; ${goal} is where it comes from.`;
}

/** @param {Walk} walk */
function notesOn({ strange, leftOut }) {
  const notes = [];
  const different = [...new Set(strange)];
  if (different.length) {
    const shown = different.slice(0, 5).map((word) => `“${word.slice(0, 20)}”`).join(", ");
    const more = different.length > 5 ? ` and ${different.length - 5} more` : "";
    notes.push(`Not in the model's vocabulary, so all read as the same unknown word: ${shown}${more}.`);
  }
  if (leftOut) notes.push(`Only the first ${MOST_TOKENS} words and marks are read; ${leftOut} are left out.`);
  return notes;
}
