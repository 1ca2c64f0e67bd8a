// Bring data when it is wanted. A page that was opened from a folder may not fetch; a script it may
// add, and scripts call `course.tour` and their like.
/** @type {Map<string, Promise<void>>} */
const brought = new Map();

/** @param {string} address */
function bring(address) {
  if (!brought.has(address)) {
    const arrived = new Promise((done, fail) => {
      const script = document.createElement("script");
      script.src = address;
      script.addEventListener("load", () => done(undefined));
      script.addEventListener("error", () => fail(new Error(`${address} is missing beside this page`)));
      document.head.append(script);
    });
    brought.set(address, arrived);
  }
  return brought.get(address);
}

// Return the bytes that base64 stands for.
/** @param {string} packed */
function bytesOf(packed) {
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; n++) bytes[n] = text.charCodeAt(n);
  return bytes;
}

// Return what compressed JSON says.
/** @param {string} packed */
async function unpacked(packed) {
  const stream = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
