// A small image, cell by cell, as a file in letters: PNG whose bytes are stored as they are.
/** @type {number[]} */
const CHECKS = Array.from({ length: 256 }, (_, n) => {
  let check = n;
  for (let bit = 0; bit < 8; bit++) check = check & 1 ? 0xedb88320 ^ (check >>> 1) : check >>> 1;
  return check >>> 0;
});

/** @param {number} number */
const fourBytes = (number) => [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];

/** @param {string} name @param {number[]} content */
function chunk(name, content) {
  const told = [...name].map((letter) => letter.charCodeAt(0)).concat(content);
  const check = told.reduce((sum, byte) => CHECKS[(sum ^ byte) & 255] ^ (sum >>> 8), 0xffffffff);
  return [...fourBytes(content.length), ...told, ...fourBytes((check ^ 0xffffffff) >>> 0)];
}

// Return rows of colours as the address of an image; no colour is nothing to be seen.
/** @param {(string | null)[][]} rows "#rrggbb" */
function imageOf(rows) {
  const bytes = rows.flatMap((row) => [0, ...row.flatMap((colour) => (colour ? [...fourBytes(parseInt(colour.slice(1), 16)).slice(1), 255] : [0, 0, 0, 0]))]);
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  const size = [bytes.length & 255, bytes.length >> 8];
  const stored = [0x78, 1, 1, ...size, ...size.map((byte) => byte ^ 255), ...bytes, ...fourBytes(((high << 16) | low) >>> 0)];
  const head = [...fourBytes(rows[0].length), ...fourBytes(rows.length), 8, 6, 0, 0, 0];
  const file = [137, 80, 78, 71, 13, 10, 26, 10, ...chunk("IHDR", head), ...chunk("IDAT", stored), ...chunk("IEND", [])];
  return `data:image/png;base64,${btoa(String.fromCharCode(...file))}`;
}
