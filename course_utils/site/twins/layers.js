// How alike the words of a sentence are in each layer: the twin of explorers/elmo/layers.py and
// plots/elmo/layers.py.
/**
 * @typedef {{ tokens: string[], cosines: number[][], layer: number, at: number, note: string }} LayerView
 * @typedef {{ chart: Chart, names: string[], most: number, otherwise: string, letters: number,
 *   ink: string, colours: string[], limits: Limits }} LayersData
 */
const TITLE_LETTERS = 70;

/** @param {LayersData} data @param {Record<string, Model>} models */
function layers(data, models) {
  const elmo = elmoOf(models.course_elmo);
  const said = (/** @type {string} */ token, longest = 12) => readable(token, longest, face("plain").knows);
  const cosinesOf = lastOf((/** @type {string[]} */ tokens) => {
    const { ahead, back } = readBothWays(elmo, tokens);
    return ahead.map((layer, level) => cosines(tokens.map((_, t) => [...layer[t + 1], ...back[level][t + 1]])));
  });
  /** @param {{ typed: string, layer: number, word: number }} values */
  return (values) => {
    const [tokens, note] = sentenceTokens(values.typed, data.most, data.otherwise);
    const at = Math.min(values.word, tokens.length - 1);
    const view = { tokens, cosines: cosinesOf(tokens)[values.layer], layer: values.layer, at, note };
    const told = layerHeadline(data, view, said);
    const title = said(told, TITLE_LETTERS);
    return {
      values: { ...values, word: at }, offers: { word: tokens.map((_, n) => String(n + 1)) },
      size: data.chart.size, parts: partsOf(data.chart, drawLayer(data, view, said, title)), words: layerInWords(view, told),
      table: { headers: ["token", `cosine with ${said(tokens[at])}`], rows: tokens.map((token, n) => [said(token), view.cosines[at][n]]) },
    };
  };
}

// Return the cosine of every two vectors, as far as 32 bits show it: a word is as like itself as its twin.
/** @param {number[][]} vectors */
function cosines(vectors) {
  const units = vectors.map((vector) => {
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
  return units.map((one) => units.map((other) => Math.fround(dot(one, 0, other, 0, one.length))));
}

/** @param {LayersData} data @param {LayerView} view @param {Said} said @param {string} title */
function drawLayer({ chart, most, letters, ink, colours, limits: [least, largest] }, view, said, title) {
  const { tokens, at } = view;
  const [T, last] = [tokens.length, most - 0.5];
  const place = onPage(chart.axes[0], [-0.5, last], [last, -0.5]);
  const colourOf = (/** @type {number} */ value) =>
    colours[Math.max(0, Math.min(colours.length - 1, Math.floor(((value - least) / (largest - least)) * colours.length)))];
  const every = Array.from({ length: most }, (_, n) => n);
  const cells = every.map((row) => every.map((column) => (row < T && column < T ? colourOf(view.cosines[row][column]) : null)));
  const [image, frame] = [chart.moving.moving0[0], chart.moving[`moving${3 * most + 1}`][0]];
  const drawn = image.look.replace(/href="[^"]*"/, `href="${imageOf(cells)}"`);
  const write = (/** @type {string} */ text, /** @type {number[]} */ [x, y], /** @type {Partial<Lettering>} */ look) =>
    lettered(face("plain"), { x, y, size: PLAIN, fill: ink, ...look }, text);
  const names = every.map((n) => (n < T ? said(tokens[n], letters) : ""));
  const box = /** @type {Point[]} */ ([[-0.5, at - 0.5], [T - 0.5, at - 0.5], [T - 0.5, at + 0.5], [-0.5, at + 0.5], [-0.5, at - 0.5]]);
  return moving([
    `<g clip-path="url(#${image.clip})"><image${drawn}></image></g>`,
    ...names.map((name, n) => write(name, place([-0.7, n]), { ha: "right" })),
    ...names.map((name, n) => write(name, place([n, T - 0.3]), { ha: "right", va: "top", angle: 40 })),
    ...every.map((n) => {
      const value = n < T ? view.cosines[at][n] : 0;
      return write(n < T ? fixed(value, 2) : "", place([n, at]), { ha: "center", size: SMALL, fill: value > 0.5 ? "#ffffff" : ink });
    }),
    linesAs(frame, [box.map(place)]),
    titled(chart, ink, title),
  ]);
}

/** @param {LayersData} data @param {LayerView} view @param {Said} said */
function layerHeadline({ names }, { tokens, cosines: alike, layer, at }, said) {
  const others = tokens.map((_, n) => n).filter((n) => n !== at);
  if (!others.length) return `${names[layer]}: ${said(tokens[at])} is alone`;
  const nearest = others.reduce((best, n) => (alike[at][n] > alike[at][best] ? n : best));
  return `${names[layer]}: ${said(tokens[at])} is most like ${said(tokens[nearest])}`;
}

/** @param {LayerView} view @param {string} told */
function layerInWords({ tokens, cosines: alike, note }, told) {
  const pairs = alike.flatMap((row, one) => row.filter((_, other) => other !== one));
  const mean = pairs.reduce((sum, value) => sum + value, 0) / pairs.length;
  const average = tokens.length > 1 ? ` Two tokens have cosine ${fixed(mean, 2)} on average.` : "";
  return `In ${told}.${average}${note ? ` ${note}` : ""}`;
}
