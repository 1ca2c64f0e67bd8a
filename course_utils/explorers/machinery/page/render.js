// Runs beside every explorer, in the page: what ipywidgets cannot do.
/** @type {import("@anywidget/types").Render} */
function render({ model, el }) {
  let stop = () => {};
  const start = () => {
    /** @type {HTMLElement} */
    const box = el.closest(".course-explorer");
    if (!box) {
      // the view exists before it is in the page
      const frame = requestAnimationFrame(start);
      stop = () => cancelAnimationFrame(frame);
      return;
    }
    const still = keepStill(model, box);
    const players = addPlayers(model, box);
    const stops = [keepKeys(box), takeTyping(box), still.stop, players.stop];
    const look = () => {
      nameAll(box);
      sayIfAsleep(box);
      still.renew();
      players.look();
    };
    const watch = new MutationObserver(look);
    watch.observe(box, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ["aria-label", "aria-valuetext", "class", "data-picture"],
    });
    look();
    stop = () => {
      watch.disconnect();
      for (const end of stops) end();
    };
  };
  start();
  return () => stop();
}
/** @type {import("@anywidget/types").Initialize} */
function initialize({ model }) {
  hearThoughLate(model);
}
export default { initialize, render };
