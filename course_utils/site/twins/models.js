// A model as it ships: a file of safetensors, whose numbers are float16, or float32 in small ones.
/**
 * @typedef {object} Model
 * @property {any} keep what is stored beside the weights
 * @property {string[]} tokens
 * @property {Map<string, number>} numbers
 * @property {(name: string) => Float32Array} part
 * @property {(name: string) => number[]} shape
 * @property {(name: string) => boolean} has
 */

/** @param {Uint8Array} bytes @returns {Model} */
function readModel(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const keep = JSON.parse(header.__metadata__.keep);
  const { tokens = [] } = keep;
  /** @type {Map<string, Float32Array>} */
  const read = new Map();
  const part = (/** @type {string} */ name) => {
    if (!read.has(name)) {
      const [start, end] = header[name].data_offsets;
      const isWhole = header[name].dtype === "F32";
      const count = (end - start) / (isWhole ? 4 : 2);
      read.set(name, (isWhole ? wholes : halves)(view, 8 + length + start, count));
    }
    return read.get(name);
  };
  const numbers = new Map(tokens.map((/** @type {string} */ token, /** @type {number} */ n) => [token, n]));
  return { keep, tokens, numbers, part, shape: (name) => header[name].shape, has: (name) => name in header };
}

// Return float16 numbers as float32.
/** @param {DataView} view @param {number} start @param {number} count */
function halves(view, start, count) {
  const found = new Float32Array(count);
  for (let n = 0; n < count; n++) {
    const bits = view.getUint16(start + 2 * n, true);
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    const size = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
    found[n] = bits & 32768 ? -size : size;
  }
  return found;
}

/** @param {DataView} view @param {number} start @param {number} count */
function wholes(view, start, count) {
  return Float32Array.from({ length: count }, (_, n) => view.getFloat32(start + 4 * n, true));
}

/** @param {Model} model @param {Layer["kind"]} kind @returns {Layer} */
function layerOf(model, kind) {
  const [, D] = model.shape("recurrent.weight_ih_l0");
  const [, H] = model.shape("recurrent.weight_hh_l0");
  const [W, U, b, inner] = ["weight_ih", "weight_hh", "bias_ih", "bias_hh"].map((name) => model.part(`recurrent.${name}_l0`));
  return { kind, D, H, W, U, b, inner };
}

// Return the vectors of words; what is not in the vocabulary has the vector of the unknown word.
/** @param {Model} model @param {string[]} words */
function embedded(model, words) {
  const [, width] = model.shape("embedding.weight");
  const table = model.part("embedding.weight");
  return words.map((word) => {
    const number = model.numbers.get(word) ?? model.numbers.get("<unk>");
    return table.subarray(number * width, (number + 1) * width);
  });
}

// Return the softmax of a language model; it may share the matrix of the embedding.
/** @param {Model} model */
function softmaxOf(model) {
  const own = model.has("output.weight") ? "output.weight" : "embedding.weight";
  return { weight: model.part(own), bias: model.part("output.bias") };
}
