// Keep the explorer's keys from the page's shortcuts, all but those that save and run; give the
// keys back to the notebook when Escape is pressed.
/** @param {HTMLElement} box */
function keepKeys(box) {
  // Lumino, which dispatches Lab's and the deck's shortcuts, skips marked elements. Most of its
  // selectors end in :focus, so the mark must be on the focused element itself.
  const guard = () => {
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    if (box.contains(focused)) focused.dataset.lmSuppressShortcuts = "true";
  };
  const leave = () => {
    /** @type {HTMLElement} */
    const cell = box.closest(".jp-Cell");
    cell?.focus({ preventScroll: true });
  };

  /** @param {KeyboardEvent} event */
  const letThrough = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!box.contains(target) || event.altKey) return;
    const control = event.ctrlKey || event.metaKey;
    const saves = control && !event.shiftKey && event.key.toLowerCase() === "s";
    const runs = event.key === "Enter" && control !== event.shiftKey;
    if (!saves && !runs) return;
    if (saves) {
      delete target.dataset.lmSuppressShortcuts;
      setTimeout(guard);
      return;
    }
    // What was typed is taken on the way out; then the cell hears the same key.
    event.preventDefault();
    event.stopImmediatePropagation();
    const { key, code, keyCode, shiftKey, ctrlKey, metaKey } = event;
    const again = { key, code, keyCode, shiftKey, ctrlKey, metaKey, bubbles: true };
    leave();
    setTimeout(() => {
      const cell = document.activeElement;
      cell.dispatchEvent(new KeyboardEvent("keydown", { ...again, cancelable: true }));
    });
  };
  /** @param {KeyboardEvent} event */
  const giveBack = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    /** @type {HTMLElement} */ (document.activeElement)?.blur();
    leave();
  };
  box.addEventListener("focusin", guard);
  box.addEventListener("keydown", giveBack);
  window.addEventListener("keydown", letThrough, true); // before Lumino, which sits on the document
  guard();
  return () => {
    box.removeEventListener("focusin", guard);
    box.removeEventListener("keydown", giveBack);
    window.removeEventListener("keydown", letThrough, true);
  };
}
