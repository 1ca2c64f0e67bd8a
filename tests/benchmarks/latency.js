// Runs in the page: from the key's event to the frame that shows its answer.
(target) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const picture = () => target.querySelector("img");
  const drawing = () => target.querySelector(":scope > svg");
  const shown = () => drawing()?.innerHTML ?? picture()?.src ?? target.textContent;
  const before = shown();

  const pressed = new Promise((done) => {
    window.addEventListener("keydown", () => done(performance.now()), {
      capture: true,
      once: true,
    });
  });
  const changed = new Promise((done) => {
    const watch = new MutationObserver(() => {
      // an inline plot is taken away before the new one comes
      if (!shown() || shown() === before) return;
      watch.disconnect();
      done();
    });
    watch.observe(target, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
  window.latency = (async () => {
    const start = await pressed;
    await changed;
    await picture()?.decode();
    await frame();
    return performance.now() - start;
  })();
}
