// Make what stands on every printed slide as large as it fits: the type first, then the pictures;
// what is too full even so is made smaller as a whole.
(() => {
  const TEXTS = [34, 30, 27, 24, 22, 20];
  const PICTURES = [1.3, 1.1, 0.95, 0.8, 0.65];
  for (const body of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".body"))) {
    const inside = /** @type {HTMLElement} */ (body.firstElementChild);
    const fits = () =>
      inside.getBoundingClientRect().height <= body.clientHeight && inside.scrollWidth <= body.clientWidth + 1;
    /** @param {number} text @param {number} picture */
    const set = (text, picture) => {
      body.style.setProperty("--text", `${text}px`);
      body.style.setProperty("--picture", String(picture));
      return fits();
    };
    const found = TEXTS.some((text) => PICTURES.some((picture) => set(text, picture)));
    if (found) continue;
    const share = Math.min(1, body.clientHeight / inside.scrollHeight, body.clientWidth / inside.scrollWidth);
    inside.style.transformOrigin = "top left";
    inside.style.transform = `scale(${share})`;
  }
  for (const notes of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".notes"))) {
    const room = 880 - 720;
    for (let size = 21; size > 12 && notes.scrollHeight > room; size--) notes.style.fontSize = `${size}px`;
  }
})();
