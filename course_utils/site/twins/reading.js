// Write a text, see what may come next: the twin of explorers/counting/reading.py and
// plots/counting/reading.py.
/**
 * @typedef {CountersData & { readers: [string, "lstm" | "gru" | "hand" | "relu"][], names: Record<string, string>,
 *   symbols: Record<string, string>, samples: Record<string, string>, hand: Record<string, any>,
 *   bare: string }} ReadingData
 */
const LONGEST = 400; // letters of a reader's text
const MOST_LETTERS = 30; // that are written below the axis
const WHITE = /[\s\u0085]+/g;

/** @param {ReadingData} data @param {Record<string, Model>} models */
function ownText(data, models) {
  const { chart } = data;
  /** @param {{ reader: number, text: string }} values */
  return (values) => {
    const [language, kind] = data.readers[values.reader];
    const letters = lettersOf(language);
    let text = [...writtenOut([...values.text].slice(0, 2000).join(""))];
    const isOther = text.every((letter) => !letters.includes(letter) && "abc()[]".includes(letter));
    if (text.length && isOther) text = [...data.samples[language]];
    if (text.length > LONGEST) throw new Error(`the picture has room for ${LONGEST} letters, and this text is longer`);
    const isTrained = kind === "lstm" || kind === "gru";
    const counter = isTrained ? counterOf(models, language, kind) : counterByHand(data.hand[`${language} ${kind}`]);
    const story = readStory(counter, language, text);
    const [unit] = isTrained ? data.counters[language][kind] : [0];
    const belongs = belongsTo(language, text);
    const symbols = [...data.symbols[language]];
    const allows = (/** @type {boolean[]} */ row) => symbols.filter((_, k) => row[k]).join("");
    const column = columnOf(story.states, story.H, unit);
    return {
      values, offers: {}, size: chart.size,
      parts: partsOf(chart, drawReading(data, data.names[kind], story, unit, symbols, text, belongs)),
      words: readingInWords(data.names[kind], story, text, belongs),
      table: {
        headers: ["letter", `cell ${unit + 1}`, "the network allows", "the rules allow"],
        rows: ["start", ...text].map((letter, t) => [letter, number(column[t], 3), allows(story.says[t]), allows(story.truth[t])]),
      },
    };
  };
}

/** @param {string} text */
function writtenOut(text) {
  return text.replace(WHITE, "").replace(/(.)\^([0-9]+)/gsu, (_, letter, power) => letter.repeat(Math.min(Number(power), LONGEST + 1)));
}

/** @param {ReadingData} data @param {string} name @param {Story} story @param {number} unit @param {string[]} symbols @param {string[]} text @param {boolean} belongs */
function drawReading({ chart, titles, letters, inks, bare }, name, story, unit, symbols, text, belongs) {
  const [cells, strip] = chart.axes;
  const steps = story.says.length;
  const top = 1.1 * Math.max(1, largestOf(story.states));
  const across = /** @type {Limits} */ ([-0.5, steps - 0.5]);
  const place = onPage(cells, across, [-top, top]);
  const below = onPage(strip, across, [-0.6, symbols.length - 0.4]);
  const line = (/** @type {number} */ one) => columnOf(story.states, story.H, one).map((value, t) => place([t, value]));
  const few = text.length <= MOST_LETTERS;
  const shown = few ? Array.from({ length: text.length + 1 }, (_, t) => t) : spread(text.length, 6);
  const ticks = shown.map((t) => place([t, 0])[0]);
  const widths = { ...chart.widths, ...letters };
  const looks = (/** @type {number} */ number) => chart.moving[`moving${number}`];
  const where = (/** @type {(says: boolean, truth: boolean) => boolean} */ is) =>
    story.says.flatMap((row, t) => row.flatMap((says, k) => (is(says, story.truth[t][k]) ? [below([t, k])] : [])));
  const isRight = (story.refusedAfter === null) === belongs;
  const title = `${isRight ? "✓" : "✗"} The ${name} ${story.refusedAfter === null ? "accepts" : "refuses"} this text`;
  return {
    [cells.x.name]: axisPart(cells, "x", ticks, ticks.map(() => ""), widths),
    [cells.y.name]: roundAxis(chart, 0, "y", [-top, top]),
    [strip.x.name]: !text.length ? bare : axisPart(strip, "x", ticks, few ? ["", ...text] : shown.map(String), widths),
    [strip.y.name]: axisPart(strip, "y", symbols.map((_, k) => below([0, k])[1]), symbols, widths),
    moving0: linesAs(looks(0)[0], Array.from({ length: story.H }, (_, one) => line(one))),
    moving1: linesAs(looks(1)[0], [line(unit)]) + marksAt(looks(1)[1], line(unit)),
    moving2: marksAt(looks(2)[0], where((says, truth) => says && truth)),
    moving3: marksAt(looks(3)[0], where((says, truth) => says && !truth)),
    moving4: marksAt(looks(4)[0], where((says, truth) => !says && truth)),
    moving5: headline(looks(5)[0].look, title, titles, isRight ? inks.right : inks.wrong),
  };
}

/** @param {string} name @param {Story} story @param {string[]} text @param {boolean} belongs */
function readingInWords(name, story, text, belongs) {
  const wrong = story.says.filter((row, t) => row.some((says, k) => says !== story.truth[t][k])).length;
  const at = story.refusedAfter;
  let verdict = `The ${name} does not allow the end`;
  if (at === null) verdict = `The ${name} accepts it`;
  else if (at < text.length) verdict = `The ${name} refuses letter ${at + 1}, ${text[at]}`;
  return (
    `This text of ${text.length} letters ${belongs ? "belongs" : "does not belong"} to the language. ${verdict}. At ${wrong} ` +
    `of ${story.says.length} steps it is wrong about what may come next; its largest cell is ${number(largestOf(story.states), 3)}.`
  );
}
