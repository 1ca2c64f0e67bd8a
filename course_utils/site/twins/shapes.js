// Shapes with keys: the twin of plots/scene/tags.py and plots/svg.py.
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
const PARTS = /_\{([^}]*)\}|_(.)|(?<![A-Za-z])([A-Za-z])(?![A-Za-z])|((?:[A-Za-z]{2,}|[^A-Za-z_])+)/gsu;
const SYMBOLS_FONT = "'STIX Two Text', 'Cambria Math', 'Times New Roman', 'Liberation Serif', serif";
const SMALLEST = 20;
const NARROW = new Set("iljtfrI.,'|!:;()[] ’“”‹›-");
const BROAD = new Set("mwMW@%&—…");

/** @param {unknown} text */
const escaped = (text) => String(text).replace(/[&<>"']/g, (sign) => ESCAPES[/** @type {"&"} */ (sign)]);

// Return a number with only the digits that show.
/** @param {number} value */
const short = (value) => String(Number(fixed(value, 2)) + 0);

/** @param {string} name @param {Record<string, unknown>} given @param {string[]} inside */
function tag(name, given, ...inside) {
  let attributes = "";
  for (const [key, value] of Object.entries(given))
    if (value !== null && value !== undefined)
      attributes += ` ${key.replaceAll("_", "-")}="${escaped(typeof value === "number" ? short(value) : value)}"`;
  return `<${name}${attributes}>${inside.join("")}</${name}>`;
}

/** @param {string[]} pieces @param {number} x @param {number} y @param {string} key @param {Record<string, unknown>} look */
function lineOfText(pieces, x, y, key, look = {}) {
  return tag("text", { style: `transform:translate(${general(x)}px,${general(y)}px)`, data_key: key, ...look }, ...pieces);
}

// Return a number in six digits, as Python's :g writes it.
/** @param {number} value */
const general = (value) => String(Number(value.toPrecision(6)));

/** @param {string} text */
const plain = (text) => escaped(text.replace(/\p{C}/gu, ""));

/** @param {string} source @param {number} size */
function formula(source, size = SMALLEST) {
  let spans = "";
  let lowered = 0;
  for (const [, group, one, letter, other] of source.matchAll(PARTS)) {
    const low = group || one;
    const depth = low ? 0.26 * size : 0;
    const slanted = low || letter;
    spans += tag(
      "tspan",
      {
        dy: depth - lowered || null,
        font_size: low ? 0.74 * size : null,
        font_style: slanted ? "italic" : null,
        font_family: slanted ? SYMBOLS_FONT : null,
      },
      plain(slanted || other),
    );
    lowered = depth;
  }
  return lowered ? spans + tag("tspan", { dy: -lowered }, "\u200b") : spans;
}

/** @param {string} text */
function widthOf(text) {
  let wide = 0;
  for (const letter of text) wide += SMALLEST * shareOf(letter);
  return wide;
}

/** @param {string} letter */
function shareOf(letter) {
  if (NARROW.has(letter)) return 0.32;
  if (BROAD.has(letter)) return 0.95;
  if (letter.codePointAt(0) > 0x2e80) return 1.1;
  return /\p{Lu}/u.test(letter) ? 0.7 : 0.56;
}
