// Words out of a typed line, and words as a picture can show them: the twins of data/tokens.py and
// plots/glyphs.py.
const LETTER = "[\\p{L}\\p{Nl}\\p{No}]";
const TOKEN = new RegExp(
  "(?<space>\\s+)|['’]s(?![\\p{L}\\p{N}_])" +
    `|\\p{Nd}+(?:[.,]\\p{Nd}+)*(?:st|nd|rd|th|d|s)?(?!${LETTER})|\\p{Nd}+(?:[.,]\\p{Nd}+)*` +
    `|${LETTER}+(?:(?!['’]s(?![\\p{L}\\p{N}_]))['’-]${LETTER}+)*|.`,
  "gsu",
);
const GLYPHS_END = 0x2e80; // beyond it the pictures' own font has hardly a letter

// Return the words and marks of a typed line, in which a pilcrow stands for a new paragraph.
/** @param {string} text */
function typedTokens(text) {
  const found = [];
  for (const { 0: token, groups } of text.trim().replaceAll("¶", "\n\n").matchAll(TOKEN)) {
    if (!groups.space) found.push(token === "⁀" ? "⁀⁀" : token);
    else if (token.includes("\n")) found.push("\n\n");
  }
  return found;
}

/** @param {string} token @param {number} longest @param {(letter: string) => boolean} knows */
function readable(token, longest = 12, knows = isKnown) {
  if (token === "\n") return "↵";
  if (token === "</s>") return "[end]";
  if (token === "⁀") return "[no space]";
  if (/^\s+$/u.test(token)) return token.includes("\n") ? "¶" : "␣";
  const letters = [...token];
  const shown = letters.slice(0, longest).map((letter) => (knows(letter) ? letter : "□")).join("");
  return letters.length <= longest ? shown : `${[...shown].slice(0, -1).join("")}…`;
}

/** @param {string} letter */
function isKnown(letter) {
  return letter.codePointAt(0) < GLYPHS_END && !/[\p{C}\p{Z}]/u.test(letter.replace(" ", ""));
}
