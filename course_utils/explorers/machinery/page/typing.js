// Take what was typed into a box when the focus leaves it, put back what cannot be read, and put
// back what stood there on Escape.
const LONGEST_TEXT = 2000;

function takeTyping(box) {
  let before = ""; // what a line of text said when it was last taken
  const numberBox = (node) => node.closest?.(".widget-readout[contenteditable=true]");
  const lineBox = (node) => node.closest?.("input[type=text]");

  // ipywidgets reads a number box when Enter is pressed or when a blur bubbles, which none does;
  // where it finds no number it puts the value back.
  const read = (node, text) => {
    node.textContent = text;
    node.dispatchEvent(new Event("blur", { bubbles: true }));
  };
  const largest = (node) =>
    Number(node.closest(".widget-inline-hbox")?.querySelector(".noUi-handle")?.ariaValueMax);

  const onFocus = ({ target }) => {
    if (lineBox(target)) before = target.value;
  };
  const onLeave = ({ target }) => {
    const node = numberBox(target);
    if (node) read(node, numberIn(node.textContent, largest(node)));
  };
  const onKey = (event) => {
    const number = numberBox(event.target);
    const line = lineBox(event.target);
    if (event.key === "Escape") {
      if (number) read(number, "");
      if (line) line.value = before;
    } else if (event.key === "Enter") {
      if (number) number.textContent = numberIn(number.textContent, largest(number));
      if (line) before = line.value;
    }
  };
  const onInput = ({ target }) => {
    if (!lineBox(target)) return;
    // half of a character cannot be sent to the kernel
    if (target.value.isWellFormed?.() === false) target.value = target.value.toWellFormed();
    if (target.value.length > LONGEST_TEXT) target.value = target.value.slice(0, LONGEST_TEXT);
  };
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
function numberIn(typed, largest) {
  let text = typed.trim().replace(/[−–]/g, "-").replace(/\s/g, "");
  const thousands = /^-?\d{1,3}(,\d{3})+$/.test(text);
  const whole = text.replaceAll(",", "");
  if (thousands && Math.abs(Number(whole)) <= largest) text = whole;
  else text = text.replace(",", ".");
  const number = Number(text);
  return text && Number.isFinite(number) ? String(number) : "";
}
