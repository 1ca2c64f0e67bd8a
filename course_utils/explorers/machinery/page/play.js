// A button beside every slider of steps walks on by itself: a step, its picture, a pause, the next.
const PAUSE = 900; // milliseconds in which a step can be seen
const calm = matchMedia("(prefers-reduced-motion: reduce)");

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

function addPlayer(model, line) {
  const button = document.createElement("button");
  button.className = "course-play jupyter-button widget-button";
  line.append(button);
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

  // Press a key on the slider, as a reader does; resolve when the kernel has answered.
  const press = (key, stopped) =>
    new Promise((done) => {
      const answered = () => {
        model.off("change:answered", answered);
        done();
      };
      model.on("change:answered", answered);
      stopped.addEventListener("abort", answered);
      handle().dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    });
  const pause = (stopped) =>
    new Promise((done) => {
      const timer = setTimeout(done, PAUSE);
      stopped.addEventListener("abort", () => (clearTimeout(timer), done()));
    });

  const walk = async (stopped) => {
    if (isAtEnd()) await press("Home", stopped);
    else await press("ArrowRight", stopped);
    while (!calm.matches && !stopped.aborted) {
      await pause(stopped);
      const failed = line.closest(".course-explorer")?.querySelector(".course-error")?.textContent;
      if (stopped.aborted || isAtEnd() || failed || !button.checkVisibility()) return;
      await press("ArrowRight", stopped);
    }
  };
  const stop = () => halt?.abort();
  const click = async () => {
    if (halt) return stop();
    if (handle().ariaValueMin === handle().ariaValueMax) return;
    halt = new AbortController();
    name();
    await walk(halt.signal);
    halt = undefined;
    name();
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
