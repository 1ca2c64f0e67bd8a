// A button beside every slider of steps walks on by itself: a step, its picture, a pause, the next.
const PAUSE = 900; // milliseconds in which a step can be seen
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {import("@anywidget/types").AnyModel} model @param {Element} box */
function addPlayers(model, box) {
  const players = new Map();
  const look = () => {
    for (const line of box.querySelectorAll(".course-playable"))
      if (!players.has(line) && line.querySelector(".noUi-handle"))
        players.set(line, addPlayer(model, line));
    const gone = box.classList.contains("jupyter-widgets-disconnected");
    for (const player of players.values()) gone ? player.stop() : player.name();
  };
  const stop = () => {
    for (const player of players.values()) player.leave();
  };
  return { look, stop };
}

/** @param {import("@anywidget/types").AnyModel} model @param {Element} line */
function addPlayer(model, line) {
  const button = document.createElement("button");
  button.className = "course-play jupyter-button widget-button";
  line.append(button);
  /** @type {AbortController | undefined} */
  let halt; // ends the walk that is going on

  const handle = () => line.querySelector(".noUi-handle");
  const isAtEnd = () => handle().ariaValueNow === handle().ariaValueMax;
  const name = () => {
    const does = calm.matches ? "Next" : halt ? "Pause" : "Play";
    const sign = { Next: "▸", Pause: "❚❚", Play: "▶" }[does];
    const label = line.querySelector(".widget-label")?.textContent.trim();
    if (button.dataset.does === does) return;
    button.dataset.does = does;
    const word = document.createElement("span");
    word.textContent = ` ${does}`;
    button.replaceChildren(sign, word);
    button.setAttribute("aria-label", `${does}: ${label}`);
  };

  // Press a key on the slider, as a reader does; return whether that moved it.
  /** @param {string} key */
  const press = (key) => {
    const before = handle().ariaValueNow;
    handle().dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    return handle().ariaValueNow !== before;
  };
  // Resolve when the kernel has done all that it was sent. It is asked, and not only listened to:
  // a step that changes nothing there, because it is there already, would never be answered.
  /** @type {(stopped: AbortSignal) => Promise<void>} */
  const caughtUp = (stopped) =>
    new Promise((done) => {
      const question = Math.random();
      const heard = (/** @type {{ caughtUp: number }} */ { caughtUp }) => caughtUp === question && end();
      const end = () => {
        model.off("msg:custom", heard);
        done();
      };
      model.on("msg:custom", heard);
      stopped.addEventListener("abort", end);
      model.send({ caughtUp: question });
    });
  /** @type {(stopped: AbortSignal) => Promise<void>} */
  const pause = (stopped) =>
    new Promise((done) => {
      const timer = setTimeout(done, PAUSE);
      stopped.addEventListener("abort", () => {
        clearTimeout(timer);
        done();
      });
    });

  /** @param {AbortSignal} stopped */
  const walk = async (stopped) => {
    let key = isAtEnd() ? "Home" : "ArrowRight";
    while (press(key)) {
      await caughtUp(stopped);
      if (calm.matches || stopped.aborted) return;
      await pause(stopped);
      const failed = line.closest(".course-explorer")?.querySelector(".course-error")?.textContent;
      if (stopped.aborted || isAtEnd() || failed || !button.checkVisibility()) return;
      key = "ArrowRight";
    }
  };
  const stop = () => halt?.abort();
  const click = async () => {
    if (halt) return stop();
    if (handle().ariaValueMin === handle().ariaValueMax) return;
    halt = new AbortController();
    name();
    try {
      await walk(halt.signal);
    } finally {
      halt = undefined;
      name();
    }
  };
  button.addEventListener("click", click);
  calm.addEventListener("change", name);
  name();
  const leave = () => {
    stop();
    calm.removeEventListener("change", name);
    button.remove();
  };
  return { name, stop, leave };
}
