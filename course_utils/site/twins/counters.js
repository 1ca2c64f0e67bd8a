// Who is still counting: the twin of explorers/counting/cells.py and plots/counting/cells.py.
/**
 * @typedef {{ chart: Chart, titles: Record<string, number>, letters: Record<string, number>,
 *   counters: Record<string, Record<string, number[]>>, inks: { right: string, wrong: string, letter: string } }} CountersData
 */
const LANGUAGES = ["ab", "abc"];
const SIDES = /** @type {const} */ (["lstm", "gru"]);
const MOST_DRAWN = 500; // points of a line
const LETTER_SIZE = "18.06";

/** @param {CountersData} data @param {Record<string, Model>} models */
function counters(data, models) {
  /** @param {{ letters: number, n: number, ending: number }} values */
  return (values) => {
    const language = LANGUAGES[values.letters];
    const member = [...language].flatMap((letter) => Array(values.n + 1).fill(letter)); // the first stop is 1
    if (values.ending === 1) member.pop();
    if (values.ending === 2) member.push(language.at(-1));
    const belongs = belongsTo(language, member);
    const runs = runsOf(member);
    /** @type {Record<string, string>} */
    const drawn = {};
    const stories = SIDES.map((kind) => readStory(counterOf(models, language, kind), language, member));
    const said = stories.map((story, side) => {
      const units = data.counters[language][SIDES[side]];
      return cellsPanel(data, side, SIDES[side].toUpperCase(), story, units, belongs, runs, drawn);
    });
    const steps = member.length + 1;
    const every = Math.max(1, Math.floor(member.length / 20));
    const shown = Array.from({ length: Math.ceil(steps / every) }, (_, n) => n * every);
    const columns = stories.flatMap((story, side) =>
      data.counters[language][SIDES[side]].map((unit) => /** @type {const} */ ([`${SIDES[side].toUpperCase()}, cell ${unit + 1}`, columnOf(story.states, story.H, unit)])));
    return {
      values, offers: {}, size: data.chart.size, parts: partsOf(data.chart, drawn),
      words: [`${inPowers(runs)}.`, ...said].join(" "),
      table: {
        headers: ["letters read", "last letter", ...columns.map(([name]) => name)],
        rows: shown.map((t) => [t, t ? member[t - 1] : "", ...columns.map(([, column]) => column[t])]),
      },
    };
  };
}

// Draw one network's cells over the letters, and return what is to be said of it.
/** @param {CountersData} data @param {number} side @param {string} name @param {Story} story @param {number[]} units @param {boolean} belongs @param {[string, number][]} runs @param {Record<string, string>} drawn */
function cellsPanel({ chart, titles, letters, inks }, side, name, story, units, belongs, runs, drawn) {
  const axes = chart.axes[side];
  const last = story.says.length - 1;
  const ends = runs.map((_, n) => runs.slice(0, n + 1).reduce((sum, [, count]) => sum + count, 0));
  const steps = [...new Set([...spread(last, Math.min(last + 1, MOST_DRAWN)), 0, ...ends])].sort((a, b) => a - b);
  const top = roundedUp(Math.max(1, 1.15 * largestOf(story.states)));
  const place = onPage(axes, [0, last], [-top, top]);
  const line = (/** @type {number} */ unit) => steps.map((t) => place([t, story.states[t * story.H + unit]]));
  const part = (/** @type {number} */ number) => `moving${8 * side + number}`;
  const looks = (/** @type {number} */ number) => chart.moving[part(number)][0];
  drawn[axes.x.name] = roundAxis(chart, side, "x", [0, last]);
  drawn[axes.y.name] = roundAxis(chart, side, "y", [-top, top]);
  drawn[part(0)] = linesAs(looks(0), Array.from({ length: story.H }, (_, unit) => line(unit)));
  drawn[part(1)] = linesAs(looks(1), ends.slice(0, -1).slice(0, 40).map((x) => [place([x, -top]), place([x, top])]));
  for (const number of [0, 1]) drawn[part(2 + number)] = number < units.length ? linesAs(looks(2 + number), [line(units[number])]) : "";
  const longest = runs.map((_, n) => n).sort((a, b) => runs[b][1] - runs[a][1] || a - b);
  for (const number of [0, 1, 2]) {
    if (number >= runs.length || runs.length > 3) {
      drawn[part(4 + number)] = "";
      continue;
    }
    const [letter, count] = runs[longest[number]];
    const [x, y] = place([ends[longest[number]] - count / 2, 0.97 * top]);
    const below = Number(/ y="([\d.]+)"/.exec(looks(4 + number).look)[1]) - (axes.box[1] + axes.box[3] * 0.015);
    drawn[part(4 + number)] = textAt(x - letters[letter] / 2, y + below, LETTER_SIZE, letter, 0, ` fill="${inks.letter}"`);
  }
  const accepted = story.refusedAfter === null;
  const right = accepted === belongs;
  const word = accepted ? "accepts" : "refuses";
  drawn[part(7)] = headline(looks(7).look, `${right ? "✓" : "✗"} ${name} ${word} it`, titles, right ? inks.right : inks.wrong);
  const first = story.firstMistake === null ? "and is right at every step" : `and is first wrong after ${story.firstMistake} letters`;
  const reached = units.map((unit) => {
    const column = columnOf(story.states, story.H, unit);
    return `cell ${unit + 1} reaches ${number(largestOf(column), 3)} and ends at ${number(column.at(-1), 3)}`;
  });
  return `${[`The ${name} ${word} it, ${right ? "rightly" : "wrongly"}, ${first}`, ...reached].join("; ")}.`;
}

/** @param {string} look @param {string} text @param {Record<string, number>} widths @param {string} ink */
function headline(look, text, widths, ink) {
  const [x, y] = ["x", "y"].map((name) => Number(new RegExp(` ${name}="([\\d.]+)"`).exec(look)[1]));
  return textAt(x, y, /font-size="([\d.]+)"/.exec(look)[1], text, widths[text], ` fill="${ink}" font-weight="bold"`);
}

// Return so many whole numbers from 0 to the last, as evenly as they lie; a half goes to the even one.
/** @param {number} last @param {number} count */
function spread(last, count) {
  return Array.from({ length: count }, (_, n) => {
    const at = count === 1 ? 0 : n === count - 1 ? last : n * (last / (count - 1));
    return at % 1 === 0.5 ? 2 * Math.round(at / 2) : Math.round(at);
  });
}

/** @param {string[]} text @returns {[string, number][]} */
function runsOf(text) {
  /** @type {[string, number][]} */
  const runs = [];
  for (const letter of text)
    if (runs.length && runs.at(-1)[0] === letter) runs.at(-1)[1]++;
    else runs.push([letter, 1]);
  return runs;
}

/** @param {[string, number][]} runs */
function inPowers(runs) {
  const said = runs.slice(0, 12).map(([letter, count]) => letter + (count === 1 ? "" : RAISED_NUMBER(count)));
  return said.join(" ") + (runs.length > 12 ? " …" : "") || "the empty text";
}

// Return a limit that moves rarely.
/** @param {number} value */
function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 5, 7, 10].map((step) => step * power).find((limit) => limit >= value);
}
