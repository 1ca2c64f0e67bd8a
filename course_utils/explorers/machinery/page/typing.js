// Take what was typed into a box when the focus leaves it, put back what cannot be read, and put
// back what stood there on Escape.
const LONGEST_TEXT = 2000;

/** @param {HTMLElement} box */
function takeTyping(box) {
  let before = ""; // what a line of text said when it was last taken
  /** @type {(node: EventTarget) => HTMLElement | null} */
  const numberBox = (node) =>
    /** @type {HTMLElement} */ (node).closest?.(".widget-readout[contenteditable=true]");
  /** @type {(node: EventTarget) => HTMLInputElement | null} */
  const lineBox = (node) => /** @type {Element} */ (node).closest?.("input[type=text]");

  // ipywidgets reads a number box when Enter is pressed or when a blur bubbles, which none does;
  // where it finds no number it puts the value back.
  /** @type {(node: HTMLElement, text: string) => void} */
  const read = (node, text) => {
    node.textContent = text;
    node.dispatchEvent(new Event("blur", { bubbles: true }));
  };
  /** @type {(node: HTMLElement) => number} */
  const largest = (node) =>
    Number(node.closest(".widget-inline-hbox")?.querySelector(".noUi-handle")?.ariaValueMax);

  /** @param {Event} event */
  const onFocus = ({ target }) => {
    const line = lineBox(target);
    if (line) before = line.value;
  };
  /** @param {Event} event */
  const onLeave = ({ target }) => {
    const node = numberBox(target);
    if (node) read(node, numberIn(node.textContent, largest(node)));
  };
  /** @param {Event} event */
  const onKey = (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    const number = numberBox(event.target);
    const line = lineBox(event.target);
    if (key === "Escape") {
      if (number) read(number, "");
      if (line) line.value = before;
    } else if (key === "Enter") {
      if (number) number.textContent = numberIn(number.textContent, largest(number));
      if (line) before = line.value;
    }
  };
  /** @param {Event} event */
  const onInput = ({ target }) => {
    const line = lineBox(target);
    if (!line) return;
    // half of a character cannot be sent to the kernel
    if (line.value.isWellFormed?.() === false) line.value = line.value.toWellFormed();
    if (line.value.length > LONGEST_TEXT) line.value = line.value.slice(0, LONGEST_TEXT);
  };
  /** @type {Record<string, (event: Event) => void>} */
  const listeners = { focusin: onFocus, focusout: onLeave, keydown: onKey, input: onInput };
  for (const [name, listener] of Object.entries(listeners))
    box.addEventListener(name, listener, true);
  return () => {
    for (const [name, listener] of Object.entries(listeners))
      box.removeEventListener(name, listener, true);
  };
}

// Return a typed number as ipywidgets can read it, or nothing. A comma is a decimal point, unless
// it can only part thousands.
/** @param {string} typed @param {number} largest */
function numberIn(typed, largest) {
  let text = typed.trim().replace(/[−–]/g, "-").replace(/\s/g, "");
  const thousands = /^-?\d{1,3}(,\d{3})+$/.test(text);
  const whole = text.replaceAll(",", "");
  if (thousands && Math.abs(Number(whole)) <= largest) text = whole;
  else text = text.replace(",", ".");
  const number = Number(text);
  return text && Number.isFinite(number) ? String(number) : "";
}
