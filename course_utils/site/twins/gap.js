// Fill a gap in any sentence: the twin of explorers/elmo/gap.py and plots/elmo/gap.py.
/**
 * @typedef {{ words: string[], shares: number[], rank: number, share: number }} Side
 * @typedef {{ tokens: string[], at: number, known: boolean, sides: Record<string, Side>, note: string }} GapView
 * @typedef {{ chart: Chart, counts: number[], sides: Record<string, string>, most: number,
 *   otherwise: string, longest: number, shown: number, ink: string }} GapData
 */
const NEAR_GAP = 5; // words on either side of a gap in its headline
const BAR = 0.4; // from its middle to its edge

/** @param {GapData} data @param {Record<string, Model>} models */
function gap(data, models) {
  const elmo = elmoOf(models.course_elmo);
  const numbers = new Map(elmo.words.map((word, n) => [word, n]));
  const all = data.counts.reduce((sum, count) => sum + count, 0);
  const logShares = data.counts.map((count) => Math.log(count / all));
  const said = (/** @type {string} */ token, longest = 12) => readable(token, longest, face("plain").knows);
  const layersOf = lastOf((/** @type {string[]} */ tokens) => readBothWays(elmo, tokens));

  /** @param {string[]} tokens @param {number} at @param {string} note @returns {GapView} */
  const view = (tokens, at, note) => {
    const answer = numbers.get(tokens[at]) ?? numbers.get("<unk>");
    const { ahead, back } = layersOf(tokens);
    const [left, right] = [elmo.logs(ahead.at(-1)[at]), elmo.logs(back.at(-1)[at + 2])];
    const logs = { left, right, both: logSoftmax(left.map((value, n) => value + right[n] - logShares[n])) };
    const sides = Object.entries(logs).map(([side, found]) => {
      const best = largestPlaces(found, data.shown);
      const rank = 1 + found.filter((value) => value > found[answer]).length;
      return [side, { words: best.map((n) => elmo.words[n]), shares: best.map((n) => Math.exp(found[n])), rank, share: Math.exp(found[answer]) }];
    });
    return { tokens, at, known: elmo.words[answer] !== "<unk>", sides: Object.fromEntries(sides), note };
  };
  /** @param {{ typed: string, word: number }} values */
  return (values) => {
    const [tokens, note] = sentenceTokens(values.typed, data.most, data.otherwise);
    const at = Math.min(values.word, tokens.length - 1);
    const seen = view(tokens, at, note);
    return {
      values: { ...values, word: at }, offers: { word: tokens.map((_, n) => String(n + 1)) },
      size: data.chart.size, parts: partsOf(data.chart, drawGap(data, seen, said)), words: gapInWords(data, seen, said),
      table: {
        headers: ["side", "place", "word", "probability"],
        rows: Object.entries(seen.sides).flatMap(([side, { words, shares }]) => words.map((word, n) => [side, n + 1, said(word), shares[n]])),
      },
    };
  };
}

/** @typedef {(token: string, longest?: number) => string} Said */

/** @param {GapData} data @param {GapView} view @param {Said} said */
function drawGap({ chart, sides, longest, shown, ink }, view, said) {
  /** @type {string[]} */
  const bars = [];
  /** @type {string[]} */
  const words = [];
  /** @type {string[]} */
  const heads = [];
  for (const [n, [side, { words: found, shares, rank }]] of Object.entries(view.sides).entries()) {
    const place = onPage(chart.axes[n], [0, 1], [-0.7, shown + 0.3]);
    for (const [row, p] of shares.entries()) {
      const y = shown - 1 - row;
      const [[left, low], [right, high]] = [place([0, y - BAR]), place([p, y + BAR])].map((point) => point.map(short));
      const { clip, look } = chart.moving[`moving${bars.length}`][0];
      bars.push(rows(clip, [{ look, own: ` d="M${left} ${low}L${right} ${low}L${right} ${high}L${left} ${high}Z"` }]));
      const [x, middle] = place([0.02, y]);
      words.push(lettered(face("plain"), { x, y: middle, size: PLAIN, fill: ink }, `${said(found[row], longest)}  ${share(p)}`));
    }
    const [x, y] = place([0, shown - 0.1]);
    const head = `${sides[side]}: ${view.known ? `no. ${wholeOrRounded(rank)}` : "not listed"}`;
    heads.push(lettered(face("bold"), { x, y, size: PLAIN, fill: ink, style: BOLD }, head));
  }
  return moving([...bars, ...words, ...heads, titled(chart, ink, withGap(view, said))]);
}

/** @param {GapView} view @param {Said} said */
function withGap({ tokens, at }, said) {
  const before = tokens.slice(Math.max(0, at - NEAR_GAP), at).map((token) => said(token));
  const after = tokens.slice(at + 1, at + 1 + NEAR_GAP).map((token) => said(token));
  return (at > NEAR_GAP ? "… " : "") + [...before, "___", ...after].join(" ") + (tokens.length > at + 1 + NEAR_GAP ? " …" : "");
}

/** @param {GapData} data @param {GapView} view @param {Said} said */
function gapInWords({ sides }, view, said) {
  const told = Object.entries(view.sides).map(([side, { words, shares, rank, share: own }]) => {
    const place = view.known ? `the word itself is no. ${wholeOrRounded(rank)} with ${share(own)}` : "the word itself is not one that it can predict";
    return `${sides[side]} '${said(words[0])}' with ${share(shares[0])} (${place})`;
  });
  return `In place of '${said(view.tokens[view.at])}' in “${withGap(view, said)}”: ${told.join("; ")}.${view.note ? ` ${view.note}` : ""}`;
}
