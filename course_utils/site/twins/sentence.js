// The reader's own sentence through a language model and back: the twin of
// explorers/language/sentence.py, analysis/language/sentence.py and plots/language/sentence.py.
/**
 * @typedef {object} SentenceRun
 * @property {string[]} read
 * @property {string[][]} likeliest
 * @property {number[][]} pLikeliest
 * @property {number[]} pAsked
 * @property {number[]} loss
 * @property {number[]} dh the size of the gradient at each state
 * @property {number[]} dx the same at each word's vector
 *
 * @typedef {SentenceRun & { asked: string[], at: number, own: boolean, note: string, goesOn: boolean }} UnrolledSentence
 * @typedef {Looks & { sentence: string, most: number, longest: number, longestExpected: number, likeliest: number, names: string[] }} SentenceData
 */
const SPEECH_END = "</s>";
const UNKNOWN_WORD = "<unk>";

/** @param {SentenceData} data @param {Record<string, Model>} models */
function sentence(data, models) {
  const draw = drawnIn(data);
  const { knows } = face("plain");
  const said = (/** @type {string} */ token, longest = 12) => readable(token, longest, knows);
  /** @type {Map<string, (words: string[]) => SentenceRun>} */
  const runs = new Map();
  for (const name of data.names)
    for (const own of [true, false]) runs.set(`${name} ${own}`, lastOf((words) => runThrough(models[name], words, own, data.likeliest)));

  /** @param {{ sentence: string, moment: number, feed: number, name: number }} values */
  return (values) => {
    const { tokens, notes, goesOn } = sentenceOf(data, values.sentence);
    const model = models[data.names[values.name]];
    const unknown = tokens.filter((token) => !model.numbers.has(token));
    if (unknown.length) notes.push(`unknown to the model: ${unknown.slice(0, 3).map((token) => said(token)).join(", ")}`);
    const own = values.feed === 1;
    const run = runs.get(`${data.names[values.name]} ${own}`)(tokens);
    const seen = { ...run, asked: tokens.slice(1), at: Math.min(values.moment, 2 * run.read.length), own, note: notes.join("; "), goesOn };
    return {
      values, offers: {}, size: data.chart.size, parts: draw(columnsOf(data, seen, said)), words: sentenceInWords(seen, said),
      table: {
        headers: ["reads", "expects", "with", "next", "its p", "loss", "at the state", "at the word"],
        rows: seen.read.map((word, t) => [
          said(word), said(seen.likeliest[t][0]), seen.pLikeliest[t][0], said(seen.asked[t]), seen.pAsked[t], seen.loss[t], seen.dh[t], seen.dx[t],
        ]),
      },
    };
  };
}

// Return the words of a typed sentence, what was done to it, and whether it goes on beyond them.
/** @param {SentenceData} data @param {string} typed */
function sentenceOf({ sentence: otherwise, most }, typed) {
  let tokens = tokenized([...typed].slice(0, 2000).join("").trim());
  if (tokens.length < 2) tokens = [SPEECH_END, ...(tokens.length ? tokens : tokenized(otherwise))];
  const goesOn = tokens.length > most + 1;
  return { tokens: tokens.slice(0, most + 1), goesOn, notes: goesOn ? [`only the first ${most + 1} words`] : [] };
}

// Run a sentence through a model and back; on its own words, it reads its likeliest word from the second on.
/** @param {Model} model @param {string[]} words @param {boolean} own @param {number} shown @returns {SentenceRun} */
function runThrough(model, words, own, shown) {
  const layer = layerOf(model, "lstm");
  const softmax = softmaxOf(model);
  const unknown = model.numbers.get(UNKNOWN_WORD);
  const numbers = words.map((word) => model.numbers.get(word) ?? unknown);
  const T = words.length - 1;
  const read = [words[0]];
  /** @type {Float64Array[]} */
  const logs = [];
  /** @type {StateOfCell | undefined} */
  let state;
  /** @type {Values} */
  const values = Object.fromEntries([..."ifgoch"].map((name) => [name, new Float64Array(T * layer.H)]));
  for (let t = 0; t < T; t++) {
    if (t) read.push(own ? model.tokens[largestPlaces(logs[t - 1].with(unknown, -Infinity), 1)[0]] : words[t]);
    const step = trace(layer, embedded(model, [read[t]]), state);
    for (const [name, of] of Object.entries(step)) values[name].set(of, t * layer.H);
    state = { h: step.h, c: step.c };
    logs.push(logSoftmax(product(softmax.weight, step.h, softmax.bias)));
  }
  const likeliest = logs.map((log) => largestPlaces(log, shown));
  const pAsked = logs.map((log, t) => Math.exp(log[numbers[t + 1]]));
  return {
    read, likeliest: likeliest.map((best) => best.map((n) => model.tokens[n])), pAsked,
    pLikeliest: likeliest.map((best, t) => best.map((n) => Math.exp(logs[t][n]))),
    loss: logs.map((log, t) => -log[numbers[t + 1]]),
    ...gradientsOf(layer, softmax.weight, values, logs, numbers.slice(1)),
  };
}

// Return how large the gradient of the mean loss is at every state and at every word's vector.
/** @param {Layer} layer @param {ArrayLike<number>} weight of the softmax @param {Values} values @param {Float64Array[]} logs @param {number[]} asked */
function gradientsOf(layer, weight, values, logs, asked) {
  const T = logs.length;
  const [dh, dx] = [/** @type {number[]} */ (new Array(T)), /** @type {number[]} */ (new Array(T))];
  sendBack(layer, values, {
    begin: (t, toState) => {
      const scores = logs[t].map((log, n) => (Math.exp(log) - Number(n === asked[t])) / T);
      addBack(weight, scores, toState);
      dh[t] = Math.hypot(...toState);
    },
    end: (t, sums) => {
      const toWord = new Float64Array(layer.D);
      addBack(layer.W, sums, toWord);
      dx[t] = Math.hypot(...toWord);
    },
  });
  return { dh, dx };
}

/** @param {SentenceData} data @param {UnrolledSentence} seen @param {Said} said @returns {(Sign | null)[]} */
function columnsOf({ most, longest, longestExpected, likeliest }, seen, said) {
  const T = seen.read.length;
  const backFrom = T - Math.max(0, seen.at - T);
  /** @type {(Sign | null)[]} */
  const signs = [];
  for (let t = 0; t < most; t++) {
    const [reached, returned] = [seen.at > t, t >= backFrom];
    const look = returned ? "backward" : reached ? "forward" : "faint";
    const isOwn = seen.own && t > 0;
    const texts = [
      reached || !isOwn ? { text: said(seen.read[t] ?? "", longest), face: /** @type {FaceName} */ (isOwn ? "slanted" : "plain") } : null,
      returned ? { text: fixed(seen.dh[t] ?? 0, 3) } : reached ? { look } : null,
      { text: said(seen.asked[t] ?? "", longest) },
      reached ? { text: `J = ${fixed(seen.loss[t] ?? 0, 2)}` } : null,
      returned ? { text: fixed(seen.dx[t] ?? 0, 3) } : null,
      ...Array.from({ length: likeliest }, (_, n) =>
        reached ? { text: `${said(seen.likeliest[t]?.[n] ?? "", longestExpected)} ${percent(seen.pLikeliest[t]?.[n] ?? 0)}` } : null),
    ];
    const column = [...Array(4).fill({ look }), ...texts];
    signs.push(...(t < T ? column : column.map(() => /** @type {Sign | null} */ (null))));
  }
  return [...signs, { text: seen.goesOn ? "…" : "" }];
}

/** @param {number} p */
const percent = (p) => `${fixed(100 * p, p >= 0.095 ? 0 : 1)}%`;

/** @param {UnrolledSentence} seen @param {Said} said */
function sentenceInWords(seen, said) {
  const T = seen.read.length;
  const note = seen.note ? ` (${seen.note})` : "";
  if (!seen.at) return `Nothing has been read yet: move the walk.${note}`;
  if (seen.at <= T) {
    const n = seen.at - 1;
    const mean = seen.loss.slice(0, seen.at).reduce((sum, loss) => sum + loss, 0) / seen.at;
    return (
      `Forward, step ${seen.at}: it reads ${seen.own && n ? "its own word" : "the word"} '${said(seen.read[n])}', expects ` +
      `'${said(seen.likeliest[n][0])}' with ${percent(seen.pLikeliest[n][0])}, and gives '${said(seen.asked[n])}' ` +
      `${percent(seen.pAsked[n])}: loss ${fixed(seen.loss[n], 2)}; mean so far ${fixed(mean, 2)}.${note}`
    );
  }
  const t = 2 * T - seen.at + 1;
  return (
    `Backward, step ${t}: a gradient of size ${fixed(seen.dh[t - 1], 3)} at the state, from its own ` +
    `loss${t < T ? " and from all later ones" : ""}; ${fixed(seen.dx[t - 1], 3)} of it reaches the vector of '${said(seen.read[t - 1])}'.${note}`
  );
}
