// ELMo's language model, the twin of models/elmo: a vector for a word from its letters, two LSTMs that
// project their state in each direction, one softmax. No clips: the course's model has none.
/**
 * @typedef {{ W: Float32Array, U: Float32Array, b: Float32Array, V: Float32Array }} Projected
 * @typedef {object} Elmo
 * @property {number} P
 * @property {(word: string) => Float64Array} vector of a word, from its letters
 * @property {Projected[][]} directions
 * @property {string[]} words of the softmax
 * @property {(h: Float64Array) => Float64Array} logs log p of every word
 *
 * @typedef {{ ahead: Float64Array[][], back: Float64Array[][] }} Layers layer -> place in the sentence -> P numbers
 */
const [BOUNDARY_BEFORE, BOUNDARY_AFTER] = ["<S>", "</S>"];
const [WORD_START, WORD_END, PADDING] = [258, 259, 260];
const FORGET_BIAS = 1;

/** @param {Model} model @returns {Elmo} */
function elmoOf(model) {
  const { options, words } = model.keep;
  const [P, levels] = [options.lstm.projection_dim, options.lstm.n_layers];
  const part = (/** @type {string} */ name) => model.part(name);
  /** @type {Map<string, Float64Array>} */
  const known = new Map();
  const vector = (/** @type {string} */ word) => {
    if (!known.has(word)) known.set(word, spelled(model, options.char_cnn, word));
    return known.get(word);
  };
  const directions = [0, 1].map((way) =>
    Array.from({ length: levels }, (_, level) => {
      const [W, U, b, V] = ["weight_ih", "weight_hh", "bias", "weight_hr"].map((name) => part(`bilm.directions.${way}.${level}.${name}`));
      return { W, U, b, V };
    }),
  );
  const logs = (/** @type {Float64Array} */ h) => logSoftmax(product(part("softmax.weight"), h, part("softmax.bias")));
  return { P, vector, directions, words, logs };
}

// Return the slots of a word: its bytes between two marks, and as much padding as any filter sees.
/** @param {string} word @param {number} slots @param {number} widest */
function slotsOf(word, slots, widest) {
  const boundary = [BOUNDARY_BEFORE, BOUNDARY_AFTER].indexOf(word);
  const bytes = boundary < 0 ? [...new TextEncoder().encode(word)].slice(0, slots - 2) : [256 + boundary];
  const filled = [WORD_START, ...bytes, WORD_END];
  return [...filled, ...Array(Math.min(slots - filled.length, widest)).fill(PADDING)];
}

// Return a word's vector: the largest response of each filter, one highway, a projection.
/** @param {Model} model @param {any} options @param {string} word */
function spelled(model, options, word) {
  const part = (/** @type {string} */ name) => model.part(`bilm.encoder.${name}`);
  const D = options.embedding.dim;
  const widest = Math.max(...options.filters.map((/** @type {number[]} */ [width]) => width));
  const ids = slotsOf(word, options.max_characters_per_token, widest);
  const letters = part("embedding.weight");
  /** @type {number[]} */
  const found = [];
  for (const [number, [width, count]] of options.filters.entries()) {
    const [weight, bias] = ["weight", "bias"].map((name) => part(`convolutions.${number}.${name}`));
    for (let filter = 0; filter < count; filter++) {
      let most = 0; // ReLU
      for (let first = 0; first + width <= ids.length; first++) {
        let response = bias[filter];
        for (let k = 0; k < width; k++)
          for (let d = 0; d < D; d++) response += weight[(filter * D + d) * width + k] * letters[ids[first + k] * D + d];
        if (response > most) most = response;
      }
      found.push(most);
    }
  }
  let x = Float64Array.from(found);
  for (let number = 0; number < options.n_highway; number++) {
    const [gate, transform] = ["gate", "transform"].map((name) =>
      product(part(`highways.${number}.${name}.weight`), x, part(`highways.${number}.${name}.bias`)));
    x = x.map((own, n) => own + sigmoid(gate[n]) * (Math.max(0, transform[n]) - own));
  }
  return product(part("projection.weight"), x, part("projection.bias"));
}

// Let one layer read vectors from a state of zeros.
/** @param {Projected} weights @param {Float64Array[]} x */
function readProjected({ W, U, b, V }, x) {
  const C = b.length / 4;
  const P = V.length / C;
  const [noBias, none] = [new Float64Array(4 * C), new Float64Array(P)];
  const c = new Float64Array(C);
  let h = none;
  return x.map((x_t) => {
    const word = product(W, x_t, b);
    const state = product(U, h, noBias);
    const m = new Float64Array(C);
    for (let k = 0; k < C; k++) {
      const [i, f, g, o] = [k, C + k, 2 * C + k, 3 * C + k];
      c[k] = sigmoid(word[f] + state[f] + FORGET_BIAS) * c[k] + sigmoid(word[i] + state[i]) * Math.tanh(word[g] + state[g]);
      m[k] = sigmoid(word[o] + state[o]) * Math.tanh(c[k]);
    }
    h = product(V, m, none);
    return h;
  });
}

// Return every layer of a sentence in both directions; its boundaries are the first and last place.
/** @param {Elmo} elmo @param {string[]} tokens @returns {Layers} */
function readBothWays({ vector, directions }, tokens) {
  const x = [BOUNDARY_BEFORE, ...tokens, BOUNDARY_AFTER].map(vector);
  const layersOf = (/** @type {Projected[]} */ stack, /** @type {Float64Array[]} */ first) => {
    const layers = [first];
    for (const [level, weights] of stack.entries()) {
      const below = layers[level];
      const y = readProjected(weights, below);
      layers.push(level ? y.map((h, t) => h.map((value, k) => value + below[t][k])) : y);
    }
    return layers;
  };
  const back = layersOf(directions[1], [...x].reverse()).map((layer) => layer.reverse());
  return { ahead: layersOf(directions[0], x), back };
}

// Return the words of a typed sentence, or of another where there is none, and what was left out.
/** @param {string} typed @param {number} most @param {string} otherwise @returns {[string[], string]} */
function sentenceTokens(typed, most, otherwise) {
  const wordsOf = (/** @type {string} */ text) =>
    [...text.matchAll(TOKEN)].filter(({ groups }) => !groups.space).map(([token]) => (token === "⁀" ? "⁀⁀" : token));
  const own = wordsOf(typed);
  const tokens = own.length ? own : wordsOf(otherwise);
  return [tokens.slice(0, most), tokens.length > most ? `Only the first ${most} words and marks are read.` : ""];
}
