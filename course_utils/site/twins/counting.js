// Languages that only a counter can recognise, and networks that read them: the twins of
// data/counting/languages.py and analysis/counting/acceptance.py.
/**
 * @typedef {{ layer: Layer, x: (symbol: number) => Float32Array, read: ArrayLike<number>, bias: ArrayLike<number> }} Counter
 * @typedef {{ states: Float64Array, H: number, says: boolean[][], truth: boolean[][], refusedAfter: number | null,
 *   firstMistake: number | null }} Story
 */
const END = "⊣";
const RAISED_NUMBER = (/** @type {number} */ power) =>
  [...String(power)].map((sign) => RAISED[/** @type {"-"} */ (sign)]).join("");

// Return which symbols may follow each beginning of a text; after a wrong letter, none.
/** @param {string} language its letters, or the openings of its brackets @param {string[]} text */
function allowedAfter(language, text) {
  const letters = lettersOf(language);
  const strangers = [...new Set(text)].filter((letter) => !letters.includes(letter)).sort((a, b) => a.codePointAt(0) - b.codePointAt(0));
  if (strangers.length) {
    const [stranger] = strangers;
    const said = stranger === "'" ? `"'"` : `'${stranger.replace("\\", "\\\\")}'`;
    throw new Error(`${said} is not a letter of this language (${letters.join(" ")}): leave it out`);
  }
  const found = (language[0] === "(" ? afterBrackets : afterPowers)(letters, text);
  for (let t = 0; t < text.length; t++) if (!found[t].includes(text[t])) found[t + 1] = "";
  return found;
}

/** @param {string} language */
function lettersOf(language) {
  return [...({ "()": "()", "([": "()[]" }[language] ?? language)];
}

/** @param {string[]} letters @param {string[]} text */
function afterPowers(letters, text) {
  const counts = letters.map(() => 0);
  const after = [...letters.slice(1), END];
  const found = [letters[0]];
  for (const letter of text) {
    const place = letters.indexOf(letter);
    counts[place]++;
    if (!place) found.push(letter + after[0]);
    else found.push(counts[place] < counts[0] ? letter : after[place]);
  }
  return found;
}

/** @param {string[]} letters @param {string[]} text */
function afterBrackets(letters, text) {
  const depths = letters.map(() => 0); // at the place of each opening
  const now = () =>
    (depths.some((depth) => depth) ? "" : END) +
    letters.filter((_, n) => n % 2 === 0 || depths[n - 1] > 0).join("");
  const found = [now()];
  for (const letter of text) {
    const place = letters.indexOf(letter);
    depths[place - (place % 2)] += place % 2 ? -1 : 1;
    found.push(now());
  }
  return found;
}

/** @param {Model} model @param {"lstm" | "gru"} kind @returns {Counter} */
function shippedCounter(model, kind) {
  const [, width] = model.shape("embedding.weight");
  const table = model.part("embedding.weight");
  return {
    layer: layerOf(model, kind),
    x: (symbol) => table.subarray(symbol * width, (symbol + 1) * width),
    read: model.part("output.weight"),
    bias: model.part("output.bias"),
  };
}

/** @param {any} numbers @returns {Counter} */
function counterByHand(numbers) {
  const one = (/** @type {number} */ symbol) => Float32Array.from({ length: numbers.D }, (_, n) => Number(n === symbol));
  return { layer: numbers, x: one, read: numbers.read, bias: numbers.bias };
}

// Let a network read a text, the end before it: its cells, and what it allows, at every step.
/** @param {Counter} counter @param {string} language @param {string[]} text @returns {Story} */
function readStory({ layer, x, read, bias }, language, text) {
  const symbols = [END, ...lettersOf(language)];
  const may = allowedAfter(language, text);
  const numbers = [0, ...text.map((letter) => symbols.indexOf(letter))];
  const values = trace(layer, numbers.map(x));
  const { H } = layer;
  const says = numbers.map((_, t) => symbols.map((_, k) => dot(read, k, values.h, t * H, H) + bias[k] > 0));
  const truth = may.map((allowed) => symbols.map((symbol) => allowed.includes(symbol)));
  const refused = numbers.findIndex((_, t) => !says[t][numbers[t + 1] ?? 0]);
  const wrong = says.findIndex((row, t) => row.some((says, k) => says !== truth[t][k]));
  return {
    states: values.c ?? values.h,
    H, says, truth,
    refusedAfter: refused < 0 ? null : refused,
    firstMistake: wrong < 0 ? null : wrong,
  };
}

// Return whether each letter of a text was allowed, and the end after the last.
/** @param {string} language @param {string[]} text */
function belongsTo(language, text) {
  return allowedAfter(language, text).every((may, t) => may.includes(text[t] ?? END));
}

/** @param {Float64Array} states @param {number} H @param {number} unit */
const columnOf = (states, H, unit) => Array.from({ length: states.length / H }, (_, t) => states[t * H + unit]);

/** @param {ArrayLike<number>} values */
function largestOf(values) {
  let most = 0;
  for (let n = 0; n < values.length; n++) most = Math.max(most, Math.abs(values[n]));
  return most;
}

/** @param {Record<string, Model>} models @param {string} language @param {"lstm" | "gru"} kind */
function counterOf(models, language, kind) {
  return shippedCounter(models[`${language === "ab" ? "counting" : "counting_three"}_${kind}`], kind);
}
