// What the bias of the keeping gate does to the gradient: the twin of explorers/gates/highway.py and
// plots/gates/highway.py.
/**
 * @typedef {"tanh" | "gru" | "lstm"} OfThree
 * @typedef {{ networks: Record<OfThree, Record<"W" | "U" | "b" | "inner", string>>, inputs: string,
 *   sizes: [number, number, number], nothing: number, gap: number, limits: Limits, curves: string[] }} HighwayData
 */

/** @param {Frame & HighwayData} data */
function highway(data) {
  const [H, D, sequences] = data.sizes;
  const inputs = floatsIn(data.inputs);
  const layers = /** @type {Record<OfThree, Layer>} */ (
    Object.fromEntries(Object.entries(data.networks).map(([kind, parts]) => {
      const read = Object.fromEntries(Object.entries(parts).map(([name, letters]) => [name, floatsIn(letters)]));
      return [kind, { kind, D, H, ...read }];
    }))
  );
  /** @param {Record<string, any>} places */
  return (places) => {
    const { keep_bias: keep, gain, length } = controlsAt(data, places);
    const x = inputs.subarray(0, length * sequences * D).map((value) => gain * value);
    const [gru, lstm] = [layers.gru, layers.lstm].map((of) => {
      const layer = { ...of, b: Float64Array.from(of.b) };
      layer.b.fill(keep, H, 2 * H);
      return gatedNorms(layer, x, sequences);
    });
    const { W, U, b, inner } = layers.tanh;
    const elman = normsByLag(
      /** @type {any} */ ({ W, U, b: Array.from(b, (bias, k) => bias + inner[k]), activation: "tanh" }), x, sequences, length,
    );
    const counted = [elman, gru.norms, lstm.norms].map((norms) => norms.map((norm) => (norm < data.nothing ? 0 : norm)));
    const curves = [...counted, lstm.path];
    const said = curves.map((curve) => curve.at(-1));
    const last = length - 1;
    return {
      values: places, offers: {},
      ...drawnAs(data, [{ x: [0, last], y: data.limits }], [
        ...curves.map((curve) => ({ points: curve.map((value, lag) => /** @type {Point} */ ([lag, value > 0 ? Math.log10(value) : NaN])) })),
        ...endLabels(said.map((value) => Math.max(Math.log10(value), data.limits[0])), data.limits, data.gap),
        { text: `After ${last} steps: LSTM ${number(said[2], 1)}, GRU ${number(said[1], 1)}, Elman ${number(said[0], 1)}` },
      ]),
      words: `What is left of the gradient after ${last} steps: ${said.map((value, n) => `${data.curves[n]} ${number(value)}`).join(", ")}.`,
      table: { headers: ["lag", ...data.curves], rows: elman.map((_, lag) => [lag, ...curves.map((curve) => curve[lag])]) },
    };
  };
}

// Return the size of the gradient at every state before the last, and the product of an LSTM's forget
// gates down to it; both are means of all sequences.
/** @param {Layer} layer @param {Float64Array} x @param {number} sequences */
function gatedNorms(layer, x, sequences) {
  const { D, H } = layer;
  const T = x.length / D / sequences;
  /** @type {number[]} */
  const norms = new Array(T).fill(0);
  /** @type {number[]} */
  const path = new Array(T).fill(0);
  for (let one = 0; one < sequences; one++) {
    const words = Array.from({ length: T }, (_, t) => x.subarray((t * sequences + one) * D, (t * sequences + one + 1) * D));
    const values = trace(layer, words);
    sendBack(layer, values, {
      begin: (t, dh, dc) => {
        if (t === T - 1) dh.fill(H ** -0.5);
        norms[T - 1 - t] += Math.sqrt([...dh, ...dc].reduce((sum, value) => sum + value * value, 0)) / sequences;
      },
    });
    if (!values.f) continue;
    for (let k = 0; k < H; k++) {
      let product = 1;
      for (let lag = 0; lag < T; lag++) {
        path[lag] += product / sequences / H;
        const f = values.f[(T - 1 - lag) * H + k];
        product *= f;
      }
    }
  }
  return { norms, path };
}
