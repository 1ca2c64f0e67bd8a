// Signs that change their look, and words: what explorers/machinery/looks.py tells of a drawing.
/**
 * @typedef {"plain" | "bold" | "slanted"} FaceName
 * @typedef {{ chart: Chart, looks: Record<string, string[]>, lettering: (Lettering & { face: FaceName } | null)[],
 *   letters: Record<FaceName, Letters> }} Looks
 * @typedef {{ look: string } | { text: string, fill?: string, face?: FaceName }} Sign
 */
const STYLES = { plain: "", bold: BOLD, slanted: ' font-style="italic"' };

// Return a function that gives the parts of a picture: for each moving artist a look, or words.
/** @param {Looks} data */
function drawnIn({ chart, looks, lettering, letters }) {
  const faces = facesOf(letters);
  /** @param {(Sign | null)[]} shown */
  return (shown) => partsOf(chart, moving(shown.map((sign, n) => {
    if (!sign) return "";
    if ("look" in sign) return looks[sign.look][n];
    const at = { ...lettering[n], ...sign };
    return lettered(faces[at.face], { ...at, style: STYLES[at.face] }, sign.text);
  })));
}

/** @param {Record<FaceName, Letters>} letters */
const facesOf = (letters) =>
  /** @type {Record<FaceName, Face>} */ (Object.fromEntries(Object.entries(letters).map(([name, of]) => [name, faceOf(of)])));
