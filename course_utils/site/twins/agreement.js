// One unit, one sentence in both numbers: the twin of explorers/agreement/unit.py and
// plots/agreement/sentence.py.
/**
 * @typedef {{ words: string[], right: string, wrong: string, condition: string }} Item
 * @typedef {Frame & { gaps: [number, number], mostWords: number, neutral: string[], plural: string,
 *   otherForm: Record<string, string>, items: Record<string, Item[]> }} AgreementData
 */
const SHOWN_GATES = { i: "input", f: "forget", o: "output" };

/** @param {AgreementData} data @param {Record<string, Model>} models */
function agreementUnit(data, { agreement_lstm: model }) {
  const layer = layerOf(model, "lstm");
  /** @param {Record<string, any>} places */
  return (places) => {
    const at = controlsAt(data, places);
    const { pair, note } = pairOf(data, model, at);
    const readings = pair.map((item) => readItem(data, model, layer, item));
    const T = pair[0].words.length;
    const last = (/** @type {Values} */ { c }, /** @type {number} */ unit) => c[(T - 1) * layer.H + unit];
    const gaps = Array.from({ length: layer.H }, (_, unit) => Math.abs(last(readings[0], unit) - last(readings[1], unit)));
    const of = (/** @type {Values} */ values, /** @type {string} */ name) => columnOf(values[name], layer.H, at.unit);
    const [own, other] = readings.map((values) => Object.fromEntries([..."ifoch"].map((name) => [name, of(values, name)])));
    const story = { unit: at.unit, pair, own, other, gaps, at: Math.min(at.word, T) - 1, note };
    return {
      values: places, offers: {}, ...drawStory(data, story),
      words: storyInWords(story, readings.map((values) => pluralMargin(data, model, layer, values, pair[0]))),
      table: {
        headers: ["word", "i", "f", "o", "c", "h", "counterpart", "its c"],
        rows: pair[0].words.map((word, t) => [word, ...[..."ifoch"].map((name) => own[name][t]), pair[1].words[t], other.c[t]]),
      },
    };
  };
}

// Return the reader's own sentence and its counterpart, or the chosen ones, with a note.
/** @param {AgreementData} data @param {Model} model @param {Record<string, any>} at @returns {{ pair: Item[], note: string }} */
function pairOf({ items, plural, otherForm, mostWords }, model, { own, kind, which, subject, others }) {
  const typed = [...own].slice(0, 2000).join("").split(/[\s\u0085]+/).filter((word) => word);
  if (!typed.length) {
    const numbers = [subject, subject === plural ? "S" : plural];
    return { pair: numbers.map((number) => items[`${kind} ${number} ${others}`][which - 1]), note: "" };
  }
  const words = typed.slice(0, mostWords);
  const notes = typed.length > mostWords ? [`Only the first ${mostWords} words are read.`] : [];
  const unknown = words.filter((word) => !model.numbers.has(word));
  if (unknown.length) notes.push(`Not in this small English: ${unknown.slice(0, 5).map((word) => readable(word)).join(", ")}.`);
  const cue = words.findIndex((word) => Object.hasOwn(otherForm, word));
  if (cue < 0) notes.push("Without a noun that the model knows, the sentence has no counterpart.");
  const other = words.map((word, n) => (n === cue ? otherForm[word] : word));
  return { pair: [words, other].map((each) => ({ words: each, right: "admires", wrong: "admire", condition: "" })), note: notes.join(" ") };
}

// Return every gate and state at the words of a sentence.
/** @param {AgreementData} data @param {Model} model @param {Layer} layer @param {Item} item @returns {Values} */
function readItem({ neutral }, model, layer, { words }) {
  const values = trace(layer, embedded(model, [...neutral, ...words]));
  return Object.fromEntries(Object.entries(values).map(([name, of]) => [name, of.subarray(neutral.length * layer.H)]));
}

// Return log p(plural form) - log p(singular form) after a sentence.
/** @param {AgreementData} data @param {Model} model @param {Layer} layer @param {Values} values @param {Item} asked */
function pluralMargin({ plural }, model, { H }, { h }, { right, wrong, condition }) {
  const [table, bias] = ["embedding.weight", "output.bias"].map((name) => model.part(name));
  const score = (/** @type {string} */ form) => dot(table, model.numbers.get(form), h, h.length - H, H) + bias[model.numbers.get(form)];
  return condition.startsWith(plural) ? score(right) - score(wrong) : score(wrong) - score(right);
}

/** @typedef {{ unit: number, pair: Item[], own: Record<string, number[]>, other: Record<string, number[]>, gaps: number[], at: number, note: string }} UnitStory */

/** @param {AgreementData} data @param {UnitStory} story */
function drawStory(data, story) {
  const { own, other, pair, gaps } = story;
  const T = pair[0].words.length;
  const along = (/** @type {number[]} */ values) => ({ points: values.map((value, t) => /** @type {Point} */ ([t, value])) });
  const limit = 2 * Math.ceil(Math.max(0.5, largestOf(own.c), largestOf(other.c)) / 2 + 0.1);
  const x = /** @type {Limits} */ ([-0.4, T - 0.6]);
  const [cells, shares] = [/** @type {Limits} */ ([-limit, limit]), /** @type {Limits} */ ([-0.05, 1.05])];
  const pointed = { points: /** @type {Point[]} */ ([[story.at, 0], [story.at, 1]]) };
  const gates = Object.keys(SHOWN_GATES);
  const words = Array.from({ length: data.mostWords }, (_, t) => {
    if (t >= T) return null;
    const [word, counterpart] = pair.map((item) => readable(item.words[t]));
    return { text: word === counterpart ? word : `${word} / ${counterpart}`, at: /** @type {Point} */ ([t, -0.12]) };
  });
  return drawnAs(data, [{ x, y: cells }, { x, y: shares }], [
    pointed, pointed, along(own.c), along(other.c), ...gates.map((name) => along(own[name])),
    ...endLabels([own.c[T - 1], other.c[T - 1]], cells, data.gaps[0]),
    ...endLabels(gates.map((name) => own[name][T - 1]), shares, data.gaps[1]),
    ...words, { text: storyHeadline(story.unit, gaps) },
  ]);
}

/** @param {number} unit @param {number[]} gaps */
function storyHeadline(unit, gaps) {
  const ahead = gaps.filter((gap) => gap > gaps[unit]).length;
  const rank = ahead ? `no. ${ahead + 1}` : "farthest";
  return `Unit ${unit} is ${fixed(gaps[unit], 2)} apart before the verb: ${rank} of ${gaps.length} units`;
}

/** @param {UnitStory} story @param {number[]} margins */
function storyInWords({ unit, pair, own, other, gaps, at, note }, margins) {
  const apart = own.c.map((value, t) => Math.abs(value - other.c[t]));
  const widest = apart.indexOf(Math.max(...apart));
  const { words } = pair[0];
  const gates = Object.entries(SHOWN_GATES).map(([name, word]) => `${word} ${number(own[name][at])}`).join(", ");
  const verdicts = margins.map((margin) => (margin > 0 ? "plural" : "singular"));
  return (
    `${storyHeadline(unit, gaps)}; the median is ${number(medianOf(gaps))}. Its two cells differ most, by ` +
    `${number(apart[widest])}, at '${words[widest]}'. At '${words[at]}' its gates are ${gates}. The model expects a ` +
    `${verdicts[0]} verb here, and a ${verdicts[1]} one in the counterpart.${note ? ` ${note}` : ""}`
  );
}

/** @param {number[]} values */
function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
