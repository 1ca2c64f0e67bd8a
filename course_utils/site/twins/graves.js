// Gates that preserve a gradient: the twin of explorers/gates/preservation.py,
// analysis/gates/latch.py and plots/gates/preservation.py.
/**
 * @typedef {Record<"i" | "f" | "o" | "memory" | "output", number[]>} Preservation
 * @typedef {{ chart: Chart, headline: Lettered, places: Record<"i" | "f" | "o", Point>,
 *   sizes: Record<"node" | "gate" | "bar" | "felt", number>, rise: Limits, most: number, fewest: number, strengths: number[] }} GravesData
 */
const HEARD = 0.1; // of the first input, at the output
const CANDIDATE = Math.tanh(1);

/** @param {GravesData} data */
function graves(data) {
  /** @param {{ write: string, keep: string, read: string, strength: number }} values */
  return (values) => {
    const seen = preserved(data, values, data.strengths[values.strength]);
    return {
      values, offers: {}, size: data.chart.size, parts: drawPreserved(data, seen), words: preservedInWords(data, seen),
      table: {
        headers: ["step", "input gate", "forget gate", "output gate", "memory feels", "output feels"],
        rows: seen.i.map((i, t) => [t + 1, i, seen.f[t], seen.o[t], seen.memory[t], seen.output[t]]),
      },
    };
  };
}

// Run one cell on commands, and follow its first value: no weight is recurrent.
/** @param {GravesData} data @param {Record<"write" | "keep" | "read", string>} patterns @param {number} strength @returns {Preservation} */
function preserved({ most }, { write, keep, read }, strength) {
  const given = Object.entries({ write, keep, read }).map(([name, text]) => ({ name, letters: [...text].slice(0, 2000) }));
  const T = Math.max(...given.map(({ letters }) => letters.length));
  if (T > most) throw new Error(`the picture has room for ${most} steps: write fewer letters`);
  if (T < 2) throw new Error("a story needs at least two steps: write 'o-' or longer");
  for (const { name, letters } of given)
    if (letters.some((letter) => !"o-".includes(letter)))
      throw new Error(`${name} is ${quoted(letters.join(""))}: use o for open and - for closed, no more`);
  const [i, f, o] = given.map(({ letters }) => Array.from({ length: T }, (_, t) => sigmoid(letters[t] === "o" ? strength : -strength)));
  const [memory, output] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  let c = 0;
  for (let t = 0; t < T; t++) {
    c = f[t] * c + i[t] * CANDIDATE;
    memory.push(t ? f[t] * memory[t - 1] : i[0]);
    output.push(o[t] * (1 - Math.tanh(c) ** 2) * memory[t]);
  }
  return { i, f, o, memory, output };
}

// Return a text as Python quotes it.
/** @param {string} text */
function quoted(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  return mark + text.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`) + mark;
}

/** @param {GravesData} data @param {Preservation} seen */
function drawPreserved({ chart, headline, places, sizes, rise, most, fewest }, seen) {
  const [axes] = chart.axes;
  const T = seen.memory.length;
  const across = /** @type {Limits} */ ([0.2, Math.max(T, fewest) + 0.8]);
  const place = onPage(axes, across, rise);
  const step = axes.box[2] / (across[1] - across[0]); // pixels
  const ring = (/** @type {Point} */ at, /** @type {number} */ wide, /** @type {number} */ high) => {
    const [x, y] = place(at).map(short);
    return ` cx="${x}" cy="${y}" rx="${short((wide * step) / 2)}" ry="${short((high * step) / 2)}"`;
  };
  const lookOf = (/** @type {number} */ n, /** @type {string} */ fill) => {
    const [stroke] = chart.moving[`moving${n}`][0].look.match(/ stroke="[^"]*" stroke-width="[^"]*"/);
    return ` fill="${fill}"${stroke}`;
  };
  const { clip } = chart.moving.moving0[0];
  const shades = [seen.memory.map((_, t) => Number(!t)), seen.memory, seen.output];
  const nodes = shades.flatMap((row, level) => row.map((shade, t) => ({
    look: lookOf(0, greyOf(1 - Math.sqrt(Math.min(1, Math.max(0, shade))))), own: ring([t + 1, level], sizes.node, sizes.node),
  })));
  const gates = Object.entries(places).map(([name, [beside, up]], n) =>
    rows(clip, seen[/** @type {"i"} */ (name)].map((value, t) => ({
      look: lookOf(n + 1, "#ffffff"), own: ring([t + 1 + beside, up], sizes.gate, Math.max(sizes.gate * value, sizes.bar)),
    })), "ellipse"));
  const ticks = Array.from({ length: most }, (_, n) => n + 1);
  return partsOf(chart, {
    [axes.x.name]: axisPart(axes, "x", ticks.map((at) => place([at, 0])[0]), ticks.map(String), axes.x.widths ?? chart.widths),
    ...moving([
      rows(clip, nodes, "ellipse"), ...gates,
      lettered(face("bold"), { ...headline, style: BOLD }, `The first input ${feltFor(sizes.felt, seen)}`),
    ]),
  });
}

/** @param {number} light */
const greyOf = (light) => `#${Math.round(255 * light).toString(16).padStart(2, "0").repeat(3)}`;

/** @param {number} felt @param {Preservation} seen */
function feltFor(felt, { memory }) {
  const last = memory.findLastIndex((share) => share > felt);
  if (last < 0) return "is never written";
  return `is felt ${last + 1 < memory.length ? `up to step ${last + 1}` : "to the end"}`;
}

/** @param {GravesData} data @param {Preservation} seen */
function preservedInWords({ sizes: { felt } }, seen) {
  const { memory, output } = seen;
  if (Math.max(...memory) <= felt) return "The first input is never written: no cell feels it.";
  const heard = output.flatMap((share, t) => (share > HEARD ? [t + 1] : []));
  const steps = heard.length ? `step ${heard.join(", ")}` : "no step";
  return `Over ${memory.length} steps the first input ${feltFor(felt, seen)} in the memory; the output feels it at ${steps}.`;
}
