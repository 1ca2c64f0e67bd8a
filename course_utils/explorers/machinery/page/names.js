// Say to those who cannot see it what every control is and shows, and what the picture shows.
/** @param {Element} box */
function nameAll(box) {
  /** @type {(node: Element | null, name: string, value: string) => void} */
  const set = (node, name, value) => {
    if (node && node.getAttribute(name) !== value) node.setAttribute(name, value);
  };
  for (const line of box.querySelectorAll(".widget-inline-hbox")) {
    const label = line.querySelector(".widget-label")?.textContent.trim() ?? "";
    /** @type {HTMLElement} */
    const readout = line.querySelector(".widget-readout");
    const handle = line.querySelector(".noUi-handle");
    set(handle, "aria-label", label);
    if (readout) set(handle, "aria-valuetext", readout.textContent.replaceAll(" · ", ", "));
    if (readout?.isContentEditable) {
      set(readout, "role", "textbox");
      set(readout, "aria-label", `${label}, as a number`);
    }
  }
  for (const button of box.querySelectorAll(".widget-toggle-button"))
    set(button, "aria-pressed", String(button.classList.contains("mod-active")));
  const words = box.querySelector(".course-words");
  set(words, "aria-live", "polite");
  set(words, "aria-atomic", "true");
  set(box.querySelector(".course-error"), "role", "alert");
  const said = words?.textContent.trim() ?? "";
  for (const drawing of box.querySelectorAll(".course-picture > svg")) {
    set(drawing, "role", "graphics-document");
    set(drawing, "aria-label", said);
  }
}
