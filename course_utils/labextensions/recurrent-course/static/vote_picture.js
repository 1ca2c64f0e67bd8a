// A room's answers as a picture for the wall: bars for choices, dots on an axis for numbers, two
// votes one above the other, and what was measured.
import { element } from "./chrome.js";
import { answers, axis, inWords, people, stacked } from "./votes.js";

/** @import { State } from "./room.js" */
/** @import { Asked, CameOut, Round } from "./votes.js" */

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1200;
const EDGE = 60;
const [FEW, MANY] = [45, 90]; // columns of dots
const NAMES = ["first vote", "second vote"];

/** @param {Asked} asked @param {Round[]} rounds @param {CameOut | null} result */
export function picture(asked, rounds, result) {
  const draw = { choice: bars, number: dots, words: howMany }[asked.kind];
  const drawn = draw(asked, rounds, result);
  const box = element("div", "course-vote-picture");
  box.append(drawn);
  if (result) box.append(element("p", "course-vote-result", `It is ${result.result}.`));
  return box;
}

// Words are for the presenter, who shows some of them.
/** @param {Asked} _ @param {Round[]} rounds */
function howMany(_, rounds) {
  return element("p", "", rounds.map((round) => `${answers(round)} have answered.`).join(" Then "));
}

// A vote that is open: how many have answered, never how, and how to join.
/** @param {Asked | null} asked @param {State} state */
export function openVote(asked, { answers, people, code, address, qr }) {
  const box = element("div", "course-vote-open");
  const left = element("div", "");
  const list = element("div", "");
  list.append(...(asked?.options ?? []).map((option, at) => {
    const row = element("p", "", option);
    row.prepend(element("b", "course-vote-letter", `${letter(at)} `));
    return row;
  }));
  const many = element("p", "course-vote-count", ` of ${people}`, { role: "status" });
  many.prepend(element("b", "", String(answers)));
  const here = element("p", "course-vote-count", `${people} ${people === 1 ? "is" : "are"} here`);
  left.append(list, asked ? many : here);
  if (!asked) left.append(element("p", "", "Point your phone's camera at the code, or type the address and the four letters."));
  if (asked) left.append(element("p", "", "have answered; Page Down closes and shows."));
  const join = element("div", "course-vote-join");
  join.append(qrOf(qr, `${address}/${code}`), element("p", "", address.replace(/^https?:\/\//, "")), element("p", "course-vote-code", code));
  box.append(left, join);
  return box;
}

/** @param {string[]} rows @param {string} link */
function qrOf(rows, link) {
  const size = rows.length + 8;
  const svg = shape("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": `QR code: ${link}`, "shape-rendering": "crispEdges" });
  const dark = rows.flatMap((row, y) => [...row].map((cell, x) => (cell === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : "")));
  svg.append(shape("rect", { width: size, height: size, fill: "#fff" }), shape("path", { d: dark.join(""), fill: "#000" }));
  return svg;
}

/** @param {Asked} asked @param {Round[]} rounds @param {CameOut | null} result */
function bars({ options }, rounds, result) {
  const list = element("div", "course-vote-bars", "", { role: "list" });
  list.style.setProperty("--rows", String(options.length * (1 + rounds.length)));
  const most = Math.max(1, ...rounds.flatMap(({ counts }) => counts));
  options.forEach((option, at) => {
    const isIt = result?.option === option;
    const row = element("div", `course-vote-row${isIt ? " course-vote-right" : ""}`, "", { role: "listitem" });
    row.append(
      element("b", "course-vote-letter", letter(at)),
      element("span", "course-vote-label", isIt ? `${option} ✓` : option),
    );
    rounds.forEach((round, number) => {
      const bar = element("span", `course-vote-bar course-vote-${rounds.length > 1 ? NAMES[number].split(" ")[0] : "only"}`);
      const long = element("i", "");
      long.style.width = `${(82 * round.counts[at]) / most}%`;
      const share = Math.round((100 * round.counts[at]) / Math.max(1, answers(round)));
      const said = `${round.counts[at]} (${share}%)`;
      bar.append(long, element("span", "", rounds.length > 1 ? `${said}, ${NAMES[number]}` : said));
      row.append(bar);
    });
    list.append(row);
  });
  return list;
}

/** @param {number} at */
export function letter(at) {
  return String.fromCharCode(65 + at);
}

/** @param {Asked} asked @param {Round[]} rounds @param {CameOut | null} result */
function dots({ unit }, rounds, result) {
  const box = element("div", "course-vote-dots");
  const measured = result?.value ?? null;
  const values = [...rounds.flatMap(({ numbers }) => numbers), ...(measured === null ? [] : [measured])];
  if (!values.length) return box;
  const { at, ticks, isLog } = axis(values);
  const x = (/** @type {number} */ share) => EDGE + share * (WIDTH - 2 * EDGE);
  const columns = Math.max(...rounds.map(answers)) > 2 * FEW ? MANY : FEW;
  const rows = rounds.map(({ numbers }) => stacked(numbers, at, columns));
  const room = rounds.length > 1 ? 135 : 340;
  const highest = Math.max(1, ...rows.flat().map(({ height }) => height + 1));
  const step = Math.min((WIDTH - 2 * EDGE) / columns, room / highest);
  const floor = rounds.map((_, number) => 50 + (number + 1) * (room + (rounds.length > 1 ? 40 : 0)));
  const bottom = floor.at(-1) + 8;
  const says = rounds.map((round, number) => (rounds.length > 1 ? `${NAMES[number]}: ` : "") + inWords(round.numbers, measured));
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${bottom + 50}`, role: "img", "aria-label": says.join("; ") });
  svg.append(shape("path", { d: `M${EDGE} ${bottom}H${WIDTH - EDGE}`, stroke: "currentColor", "stroke-width": 2 }));
  for (const tick of ticks) {
    svg.append(shape("path", { d: `M${x(at(tick))} ${bottom}v8`, stroke: "currentColor", "stroke-width": 2 }));
    svg.append(text(x(at(tick)), bottom + 38, isLog || !unit ? people(tick) : `${people(tick)}${unit}`));
  }
  rows.forEach((row, number) => {
    const side = measured !== null && at(measured) < 0.5 ? WIDTH - EDGE : EDGE; // away from the line
    if (rounds.length > 1) svg.append(text(side, floor[number] - room - 8, NAMES[number], side > EDGE ? "end" : "start"));
    for (const { column, height } of row)
      svg.append(shape("circle", { cx: x(column / columns), cy: floor[number] - (height + 0.5) * step, r: 0.45 * step, class: "course-vote-dot" }));
  });
  if (measured !== null) {
    const place = x(at(measured));
    svg.append(shape("path", { d: `M${place} 44V${bottom}`, class: "course-vote-line" }));
    const side = place < 220 ? "start" : place > WIDTH - 220 ? "end" : "middle";
    svg.append(text(place, 30, `measured: ${people(measured)}${unit}`, side));
  }
  box.append(svg, ...says.map((line) => element("p", "", line)));
  return box;
}

/** @param {string} tag @param {Record<string, string | number>} attributes */
function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

/** @param {number} x @param {number} y @param {string} said */
function text(x, y, said, anchor = "middle") {
  const node = shape("text", { x, y, "text-anchor": anchor, "font-size": 26, fill: "currentColor" });
  node.textContent = said;
  return node;
}
