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

const LEANS_LEFT = new Set([...".,;:!?)]}%”°", "'s", "’s"]);
const LEANS_RIGHT = new Set("([{$£#“");
const STANDS_CLOSE = new Set("—–/-_*"); // no space on either side
const GLUE = "⁀";

// Return the tokens of a text, with those that say where its spaces break the rules.
/** @param {string} text */
function tokenized(text) {
  const found = [];
  const spacing = spacingRules();
  let gap = "";
  for (const { 0: token, groups } of text.matchAll(TOKEN)) {
    if (groups.space) {
      gap = token;
      continue;
    }
    const own = token === GLUE ? GLUE + GLUE : token;
    if (gap !== spacing.before(own)) {
      found.push(gap || GLUE);
      if (gap) spacing.after(gap);
      else spacing.close();
    }
    found.push(own);
    spacing.after(own);
    gap = "";
  }
  return gap ? [...found, gap] : found;
}

// Return the text that tokens stand for.
/** @param {string[]} tokens */
function detokenized(tokens) {
  let text = "";
  const spacing = spacingRules();
  for (const token of tokens) {
    if (token === GLUE) {
      spacing.close();
      continue;
    }
    text += spacing.before(token) + (token === GLUE + GLUE ? GLUE : token);
    spacing.after(token);
  }
  return text;
}

// What goes between the token before and the next one.
function spacingRules() {
  let closed = true; // nothing may come between: start of text, after "(" or white space
  let quoted = false; // an odd number of straight quotes since the last line began
  const isSpace = (/** @type {string} */ token) => /^\s+$/u.test(token);
  return {
    /** @param {string} token */
    before(token) {
      const isClose = isSpace(token) || LEANS_LEFT.has(token) || STANDS_CLOSE.has(token);
      return closed || isClose || (token === '"' && quoted) ? "" : " ";
    },
    /** @param {string} token */
    after(token) {
      if (token === '"') quoted = !quoted;
      if (token.includes("\n")) quoted = false;
      closed = isSpace(token) || LEANS_RIGHT.has(token) || STANDS_CLOSE.has(token) || (token === '"' && quoted);
    },
    close() {
      closed = true;
    },
  };
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
