// What a vote is, and what can be said of it: no page, no network, so that node can try it.

/**
 * @typedef {object} Asked a prediction, as course_utils/checks/predictions.py shows it
 * @property {string} name
 * @property {string} question
 * @property {string[]} options
 * @property {"choice" | "number" | "words"} kind
 * @property {string} unit
 */
/**
 * @typedef {object} CameOut
 * @property {string} name
 * @property {string} result
 * @property {number | null} value
 * @property {string | null} option
 */
/** @typedef {{ counts?: number[], numbers?: number[], words?: string[], typed?: string }} Round one vote */

const SIGNS = /[−⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/g;
const PLAIN = String.raw`[-+]?(?:[1-9]\d{0,2}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d*[.,]?\d+)(?:e[-+]?\d{1,3})?`;
const POWER = new RegExp(String.raw`^(?:(${PLAIN})[x*·×])?10(?:\^|\*\*)([-+]?\d{1,3})$`, "i");
const NUMBER = new RegExp(`^(${PLAIN})(?:/(${PLAIN}))?%?$`, "i");
const MANY = /^(?:x|×|\*)(\d{1,4})$/i;
const MOST = 5000; // hands
const DECADES = 40; // of a log axis

// One number without spaces, as course_utils/numbers.py reads it: 1e-3, 0,001, 1/1000, 6*10^-13.
/** @param {string} text @returns {number | null} */
export function readNumber(text) {
  const raised = text.replace(/10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/, "10^$1").replace(SIGNS, (sign) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign)] ?? "-");
  const power = POWER.exec(raised);
  if (power) return finite(plain(power[1] ?? "1") * 10 ** Number(power[2]));
  const [, above, under] = NUMBER.exec(raised) ?? [];
  return above ? finite(plain(above) / plain(under ?? "1")) : null;
}

/** @param {string} text */
function plain(text) {
  const [, whole, rest, power] = /^([^,]*),(\d+)((?:e.*)?)$/i.exec(text) ?? [];
  const isPoint = rest && (rest.length !== 3 || /^[-+]?0?$/.test(whole));
  return Number(isPoint ? `${whole}.${rest}${power}` : text.replaceAll(",", ""));
}

/** @param {number} value */
function finite(value) {
  return Number.isFinite(value) ? value : null;
}

// What a presenter types of a room's numbers: "0.5 x12, 1e-3 x4 7".
/** @param {string} text */
export function readHands(text) {
  /** @type {number[]} */
  const numbers = [];
  /** @type {string[]} */
  const unread = [];
  const joined = text.replace(/([x×*])\s+(?=\d)/gi, "$1");
  const parts = joined.split(/[\s;]+|,(?=\s|$)/).filter(Boolean);
  for (const part of parts) {
    const times = MANY.exec(part);
    const value = times ? numbers.at(-1) : readNumber(part);
    const many = times ? Number(times[1]) - 1 : 1;
    if (value === null || value === undefined || numbers.length + many > MOST) unread.push(part);
    else if (many < 0) numbers.pop();
    else numbers.push(.../** @type {number[]} */ (Array(many).fill(value)));
  }
  return { numbers, unread };
}

/** @param {Round | undefined} round */
export function answers(round) {
  return round?.counts?.reduce((a, b) => a + b, 0) ?? (round?.numbers ?? round?.words)?.length ?? 0;
}

/** @param {number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// The sentence below a picture of numbers.
/** @param {number[]} numbers @param {number | null} [measured] */
export function inWords(numbers, measured = null) {
  const guesses = `${numbers.length} ${numbers.length === 1 ? "guess" : "guesses"}`;
  if (!numbers.length) return guesses;
  const middle = `${guesses}, median ${people(median(numbers))}`;
  if (measured === null || measured <= 0) return middle;
  const near = numbers.filter((n) => n >= measured / 10.0000001 && n <= measured * 10.0000001);
  return `${middle}, ${near.length} within a factor of ten`;
}

// A number as people write it, two digits: 0.0017, 586,000, 6 × 10⁻¹³.
/** @param {number} value */
export function people(value) {
  if (!value) return "0";
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  const [digits, power] = size.toExponential(1).split("e");
  if (size >= 1e-4 && size < 1e7) {
    const rounded = Number(`${digits}e${power}`);
    return sign + rounded.toLocaleString("en", { maximumFractionDigits: 6 });
  }
  const ten = `10${[...String(Number(power))].map((sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]).join("")}`;
  return sign + (digits === "1.0" ? ten : `${Number(digits)} × ${ten}`);
}

// Where numbers stand on an axis from 0 to 1. Guesses over powers of ten want a log axis; whoever
// says 0 there, or less, stands at its left end.
/** @param {number[]} values */
export function axis(values) {
  const above = values.filter((value) => value > 0);
  const low = Math.min(...above);
  const high = Math.max(...above);
  const isLog = above.length >= 0.5 * values.length && high / low >= 30;
  return isLog ? logAxis(low, high) : linearAxis(Math.min(...values), Math.max(...values));
}

/** @param {number} low @param {number} high */
function logAxis(low, high) {
  const last = Math.ceil(Math.log10(high) - 1e-9);
  const first = Math.max(Math.floor(Math.log10(low) + 1e-9), last - DECADES);
  const each = Math.ceil((last - first) / 8);
  const ticks = [];
  for (let power = first; power <= last; power += each) ticks.push(10 ** power);
  const at = (/** @type {number} */ value) =>
    value <= 0 ? 0 : Math.min(1, Math.max(0, (Math.log10(value) - first) / (last - first)));
  return { at, ticks, isLog: true };
}

/** @param {number} low @param {number} high */
function linearAxis(low, high) {
  const span = high - low || Math.abs(high) || 1;
  const rough = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map((by) => by * rough).find((by) => span / by <= 6);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
  const at = (/** @type {number} */ value) => (value / step - first) / (last - first);
  return { at, ticks, isLog: false };
}

// Dots that do not hide one another: for each number its column and its height in it.
/** @param {number[]} numbers @param {(value: number) => number} at @param {number} columns */
export function stacked(numbers, at, columns) {
  /** @type {Map<number, number>} */
  const heights = new Map();
  return [...numbers].sort((a, b) => a - b).map((value) => {
    const column = Math.round(at(value) * columns);
    const height = heights.get(column) ?? 0;
    heights.set(column, height + 1);
    return { column, height };
  });
}
