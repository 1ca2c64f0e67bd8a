// Numbers as people write them: the twin of course_utils/numbers.py.
const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

// Return a number with so many decimals; what lies exactly between two goes to the even one, as in
// Python, where toFixed would take the larger.
/** @param {number} value @param {number} decimals */
function fixed(value, decimals) {
  const scaled = Math.abs(value) * 10 ** decimals;
  const isTie = scaled % 1 === 0.5 && Number.isInteger(value * 1024);
  if (!isTie) return value.toFixed(decimals);
  const even = 2 * Math.round(scaled / 2);
  return (Math.sign(value) * even / 10 ** decimals).toFixed(decimals);
}

/** @param {number} value @param {number} digits */
function number(value, digits = 2) {
  if (Number.isNaN(value)) return "no number";
  const sign = value < 0 ? "−" : "";
  if (!Number.isFinite(value)) return `${sign}infinity`;
  const [mantissa, power] = scientific(Math.abs(value), digits);
  const exponent = Number(power);
  const rounded = Number(`${mantissa}e${exponent}`);
  if (rounded && (rounded < 1e-4 || rounded >= 1e7)) {
    const raised = [...String(exponent)].map((sign) => RAISED[/** @type {"-"} */ (sign)]).join("");
    const factor = String(Number(mantissa));
    return factor === "1" ? `${sign}10${raised}` : `${sign}${factor}\u00a0×\u00a010${raised}`;
  }
  const decimals = rounded ? Math.max(0, digits - 1 - exponent) : 0;
  const [whole, part] = rounded.toFixed(decimals).split(".");
  const kept = part?.replace(/0+$/, "");
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + (kept ? `.${kept}` : "");
}

// Return the digits of a number and its power of ten; between two, the even one, as in Python.
/** @param {number} value @param {number} digits */
function scientific(value, digits) {
  const [all, power] = value.toExponential(60).split("e");
  const kept = digits + Number(digits > 1); // with the point
  const isTie = /^50*$/.test(all.slice(kept).replace(".", "")) && "02468".includes(all[kept - 1]);
  return isTie ? [all.slice(0, kept), power] : value.toExponential(digits - 1).split("e");
}

/** @param {number} value */
function share(value) {
  const percent = 100 * value;
  if (percent > 0 && percent < 0.5) return `${number(percent, 1)}%`;
  if (percent >= 99.5 && percent < 100) return `${fixed(Math.min(percent, 99.9), 1)}%`;
  return `${fixed(percent, 0)}%`;
}

/** @param {number} value */
function signedNumber(value) {
  const said = fixed(value, 2);
  return (Number(said) === 0 ? "0.00" : said).replace("-", "−");
}

// Return a number of a table: whole ones in full.
/** @param {number} value */
function wholeOrRounded(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e9)
    return String(value).replace(/\B(?=(\d{3})+$)/g, ",").replace("-", "−");
  return number(value, 4);
}
