// What goes on with a text: models with a state, and counts of words. The twins of
// models/language/recurrent.py, ngram.py and sampling.py.
/**
 * @typedef {{ scores: Float64Array, memory: any }} Expected log p of the next token, all too high by the same, and what is remembered
 * @typedef {object} Speaker
 * @property {string[]} tokens
 * @property {Map<string, number>} numbers
 * @property {(token: number, memory: any) => Expected} read
 *
 * @typedef {{ tokens: string, counts: string, sizes: string, discount: number }} ToldGrams
 * @typedef {{ words: string[], levels: ToldGrams[] }} Counts
 * @typedef {{ tokens: Float64Array, counts: Float64Array, first: number[], totals: number[], kinds: number[], discount: number }} Grams
 */

/** @param {Model} model @param {Layer["kind"]} kind @returns {Speaker} */
function networkThatSpeaks(model, kind) {
  const layer = layerOf(model, kind);
  const softmax = softmaxOf(model);
  const [, width] = model.shape("embedding.weight");
  const table = model.part("embedding.weight");
  return {
    tokens: model.tokens,
    numbers: model.numbers,
    read(token, memory) {
      const step = trace(layer, [table.subarray(token * width, (token + 1) * width)], memory);
      return { scores: product(softmax.weight, step.h, softmax.bias), memory: { h: step.h, c: step.c } };
    },
  };
}

// Interpolated Kneser-Ney: every level holds the grams of one length, one context after the other.
/** @param {Counts} told @returns {Speaker} */
function countsThatSpeak({ words, levels }) {
  const grams = levels.map(gramsOf);
  const V = words.length;
  return {
    tokens: words,
    numbers: new Map(words.map((word, n) => [word, n])),
    read(token, memory) {
      const recent = /** @type {number[]} */ ([...(memory ?? []), token].slice(-(levels.length - 1 || 1)));
      const before = levels.length > 1 ? recent : [];
      const p = new Float64Array(V).fill(1 / V);
      for (const [length, level] of grams.entries()) {
        if (length > before.length) break;
        const node = nodeOf(grams, before.slice(before.length - length));
        if (node < 0 || !level.totals[node]) break;
        const rest = (level.discount * level.kinds[node]) / level.totals[node];
        for (let n = 0; n < V; n++) p[n] *= rest;
        for (let n = level.first[node]; n < level.first[node + 1]; n++)
          p[level.tokens[n]] += Math.max(0, level.counts[n] - level.discount) / level.totals[node];
      }
      for (let n = 0; n < V; n++) p[n] = Math.log(p[n]);
      return { scores: p, memory: recent };
    },
  };
}

/** @param {ToldGrams} level @returns {Grams} */
function gramsOf({ tokens, counts, sizes, discount }) {
  const [read, counted] = [tokens, counts].map(wholeIn);
  const first = [0];
  for (const size of wholeIn(sizes)) first.push(first.at(-1) + size);
  /** @type {number[]} */
  const totals = [];
  /** @type {number[]} */
  const seen = [];
  for (let node = 0; node + 1 < first.length; node++) {
    const own = counted.subarray(first[node], first[node + 1]);
    totals.push(own.reduce((sum, count) => sum + count, 0));
    seen.push(own.reduce((sum, count) => sum + Number(count > 0), 0));
  }
  return { tokens: read, counts: counted, first, totals, kinds: seen, discount };
}

// Return the number of a gram, -1 where it never occurred.
/** @param {Grams[]} grams @param {number[]} tokens */
function nodeOf(grams, tokens) {
  let node = 0;
  for (const [length, token] of tokens.entries()) {
    const { tokens: all, first } = grams[length];
    const found = all.subarray(first[node], first[node + 1]).indexOf(token);
    if (found < 0) return -1;
    node = first[node] + found;
  }
  return node;
}

// Return whole numbers from the letters in which a page is told them: seven bits a byte, the lowest first.
/** @param {string} letters */
function wholeIn(letters) {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const found = [];
  let [value, size] = [0, 1];
  for (const byte of bytes) {
    value += (byte & 127) * size;
    size *= 128;
    if (byte < 128) {
      found.push(value);
      [value, size] = [0, 1];
    }
  }
  return Float64Array.from(found);
}

// Return log-probabilities with some tokens impossible, summing to one again.
/** @param {Float64Array} scores @param {number[]} never */
function without(scores, never) {
  const left = Float64Array.from(scores);
  for (const token of never) left[token] = -Infinity;
  return logSoftmax(left);
}

// Return how likely every token is against the likeliest, which is 1; a temperature of 0 leaves that alone.
/** @param {Float64Array} scores @param {number[]} never @param {number} temperature @param {Float64Array} [into] to be used again */
function sharpened(scores, never, temperature, into) {
  const p = into ?? new Float64Array(scores.length);
  const allowed = (/** @type {number} */ n) => !never.includes(n);
  const best = largestPlaces(scores, never.length + 1).find(allowed);
  for (let n = 0; n < p.length; n++) p[n] = temperature ? Math.exp((scores[n] - scores[best]) / temperature) : 0;
  for (const token of never) p[token] = 0;
  p[best] = 1;
  return p;
}

/** @param {Float64Array} values */
function sumOf(values) {
  let all = 0;
  for (const own of values) all += own;
  return all;
}

// Return the first place whose sum passes a share of them all.
/** @param {Float64Array} p @param {number} aim */
function drawnAt(p, aim) {
  const all = sumOf(p);
  let sum = 0;
  for (let n = 0; n < p.length; n++) {
    sum += p[n];
    if (sum > aim * all) return n;
  }
  return p.length - 1;
}
