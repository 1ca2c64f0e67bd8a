// What comes next, and what a model writes: the twin of explorers/language/generation.py and
// plots/language/next_words.py. Chance comes along: the numbers that Python's generator draws.
/**
 * @typedef {{ kind: Layer["kind"], shipped?: string, file?: string } | (Counts & { kind: "counts" })} Told
 * @typedef {{ prompt: string, note: string, temperature: number, words: string[], shaped: number[], plain: number[], continuation: string }} NextWords
 * @typedef {Looks & { values: Record<string, any[]>, speakers: Told[], draws: string, wordsOn: number, most: number, mostSaid: number,
 *   shown: number, longest: number, ends: number[], lettersALine: number, rise: Limits }} NextWordsData
 */
const BAR_HEIGHT = 0.31; // from its middle to its edge

/** @param {NextWordsData} data @param {Record<string, Model>} models */
function nextWords(data, models) {
  const draws = floatsIn(data.draws);
  const said = (/** @type {string} */ token, longest = 12) => readable(token, longest, face("plain").knows);
  /** @type {Map<number, ReturnType<typeof readerOf>>} */
  const readers = new Map();

  /** @param {Record<string, any>} places */
  return (places) => {
    const { temperature } = controlsAt(/** @type {any} */ (data), places);
    if (!readers.has(places.name)) readers.set(places.name, readerOf(data.speakers[places.name], models));
    const { speaker, never, expects, write } = readers.get(places.name);
    const prompt = [...places.prompt].slice(0, 2000).join("").trim();
    const typed = tokenized(prompt).slice(-data.most);
    const tokens = typed.length ? typed : [SPEECH_END];
    const unknown = tokens.filter((token) => !speaker.numbers.has(token)).map((token) => [...token].slice(0, 20).join(""));
    const first = expects(tokens);
    const log = without(first.scores, never);
    const best = largestPlaces(log, data.shown);
    const shaped = sharpened(log, never, temperature);
    const all = sumOf(shaped);
    const chances = draws.subarray(places.seed * data.wordsOn, (places.seed + 1) * data.wordsOn);
    const written = write(first, [...chances], temperature).map((token) => speaker.tokens[token]);
    const seen = {
      prompt: prompt || "the end of a speech", temperature, words: best.map((n) => speaker.tokens[n]),
      note: unknown.length ? `unknown to the model: ${unknown.slice(0, 3).join(", ")}` : "",
      shaped: best.map((n) => shaped[n] / all), plain: best.map((n) => Math.exp(log[n])),
      continuation: [...wordsIn(detokenized(written)), ...(written.length < data.wordsOn ? ["[end of the speech]"] : [])].join(" "),
    };
    return {
      values: places, offers: {}, size: data.chart.size, parts: drawNext(data, seen, said), words: nextInWords(data, seen, said),
      table: {
        headers: ["word", "at this temperature", "at temperature 1"],
        rows: seen.words.map((word, n) => [said(word), seen.shaped[n], seen.plain[n]]),
      },
    };
  };
}

/** @param {Told} told @param {Record<string, Model>} models */
function readerOf(told, models) {
  let speaker;
  if (told.kind === "counts") speaker = countsThatSpeak(told);
  else {
    const own = told.shipped ? models[told.shipped] : readModel(Uint8Array.from(atob(told.file), (letter) => letter.charCodeAt(0)));
    speaker = networkThatSpeaks(own, told.kind);
  }
  const unknown = speaker.numbers.get(UNKNOWN_WORD);
  const expects = lastOf((/** @type {string[]} */ tokens) => {
    /** @type {Expected} */
    let expected;
    for (const token of tokens) expected = speaker.read(speaker.numbers.get(token) ?? unknown, expected?.memory);
    return expected;
  });
  const [never, end] = [[unknown], speaker.numbers.get(SPEECH_END)];
  return { speaker, expects, never, write: writerOf(speaker, never, end) };
}

// Return what gives the tokens that a model writes where chance gives these numbers. At another temperature
// many a text begins as the one before: that far nothing is read again.
/** @param {Speaker} speaker @param {number[]} never @param {number | undefined} end */
function writerOf(speaker, never, end) {
  /** @type {Expected | undefined} */
  let begun;
  /** @type {{ token: number, expected: Expected }[]} */
  let path = [];
  const p = new Float64Array(speaker.tokens.length);
  /** @param {Expected} first @param {number[]} chances @param {number} temperature */
  return (first, chances, temperature) => {
    if (begun !== first) [begun, path] = [first, []];
    let expected = first;
    for (const [at, chance] of chances.entries()) {
      const token = drawnAt(sharpened(expected.scores, never, temperature, p), temperature ? chance : 0);
      if (token === end) return path.slice(0, at).map((one) => one.token);
      if (path[at]?.token !== token) path.splice(at, Infinity, { token, expected: undefined });
      if (at + 1 < chances.length) expected = path[at].expected ??= speaker.read(token, expected.memory);
    }
    return path.slice(0, chances.length).map((one) => one.token);
  };
}

/** @param {NextWordsData} data @param {NextWords} seen @param {Said} said */
function drawNext({ chart, looks, lettering, shown, longest, ends, lettersALine, rise }, seen, said) {
  const most = Math.min(1, Math.max(...seen.shaped, ...seen.plain));
  const end = ends.find((one) => one >= most);
  const place = onPage(chart.axes[0], [0, end], rise);
  const bars = seen.shaped.map((p, row) => {
    const y = shown - 1 - row;
    const [[left, low], [right, high]] = [place([0, y - BAR_HEIGHT]), place([p, y + BAR_HEIGHT])].map((point) => point.map(short));
    const { clip, look } = chart.moving[`moving${row}`][0];
    return rows(clip, [{ look, own: ` d="M${left} ${low}L${right} ${low}L${right} ${high}L${left} ${high}Z"` }]);
  });
  const marks = marksAt(chart.moving[`moving${shown}`][0], seen.plain.map((p, row) => place([p, shown - 1 - row])));
  const texts = [
    ...seen.words.map((word) => [said(word, longest)]), inTwoLines(`… ${seen.continuation}`, lettersALine), [nextHeadline(seen, said, longest)],
  ];
  const lines = texts.map((text, n) => written(lettering[shown + 1 + n], text));
  const signs = moving([...bars, marks, ...lines]);
  return partsOf(chart, { ...signs, ...looks[String(end)], ...signs });
}

/** @param {NextWords} seen @param {Said} said @param {number} longest */
function nextHeadline({ words, temperature, shaped, plain }, said, longest) {
  const first = said(words[0], longest);
  if (temperature === 1) return `Next comes '${first}' with ${share(plain[0])}`;
  return `Temperature ${general(temperature)}: '${first}' with ${share(shaped[0])}, not ${share(plain[0])}`;
}

/** @param {NextWordsData} data @param {NextWords} seen @param {Said} said */
function nextInWords({ longest, mostSaid }, { prompt, note, temperature, words, shaped, continuation }, said) {
  const letters = [...prompt];
  const shown = letters.length <= mostSaid ? prompt : `… ${letters.slice(-mostSaid).join("")}`;
  return (
    `After '${shown}'${note ? ` (${note})` : ""} at temperature ${general(temperature)} the likeliest word is ` +
    `'${said(words[0], longest)}' with ${share(shaped[0])}. One continuation: ${continuation}`
  );
}
