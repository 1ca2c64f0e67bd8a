// Runs beside every explorer, in the page. Three jobs that ipywidgets cannot do:
// keep the explorer's keys from the page's shortcuts, give the picture its alt text,
// and hand the keys back to the notebook when Escape is pressed.
function render({ el }) {
  let stop = () => {};
  const start = () => {
    const box = el.closest(".course-explorer");
    if (!box) {
      // the view exists before it is in the page
      const frame = requestAnimationFrame(start);
      stop = () => cancelAnimationFrame(frame);
      return;
    }
    // Lumino, which dispatches Lab's and the deck's shortcuts, skips marked elements. Most of its
    // selectors end in :focus, so the mark must be on the focused element itself.
    const guard = () => {
      if (box.contains(document.activeElement))
        document.activeElement.dataset.lmSuppressShortcuts = "true";
    };
    box.addEventListener("focusin", guard);
    guard();

    const giveBack = (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      document.activeElement?.blur();
      box.closest(".jp-Cell")?.focus({ preventScroll: true });
    };
    box.addEventListener("keydown", giveBack);

    const describe = () => {
      const words = box.querySelector(".course-words")?.textContent.trim() ?? "";
      for (const img of box.querySelectorAll(".course-picture"))
        if (img.alt !== words) img.alt = words;
    };
    const watch = new MutationObserver(describe);
    watch.observe(box, { subtree: true, childList: true, characterData: true });
    describe();

    stop = () => {
      watch.disconnect();
      box.removeEventListener("focusin", guard);
      box.removeEventListener("keydown", giveBack);
    };
  };
  start();
  return () => stop();
}
export default { render };
