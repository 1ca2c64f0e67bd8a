// Explorers on a page without a kernel. Their controls are the browser's own; what they show was
// drawn by the explorer's own Python while the page was made: a tour. scene.js draws it.
/**
 * @typedef {object} Control
 * @property {string} label
 * @property {"slider" | "choice" | "switch" | "text" | "typed"} kind
 * @property {boolean} playable
 * @property {number} places how many the control has in a notebook
 * @property {[string, string]} ends
 * @property {string[]} stops
 * @property {string} [hint] what stands in an empty line
 * @property {any} start which stop; of a typed line what stands there
 *
 * @typedef {object} State
 * @property {[number, number]} size
 * @property {string[]} order
 * @property {number[]} parts
 * @property {string} words
 * @property {string} numbers
 *
 * @typedef {{ stops: string[][], start: number[], at: (number | null)[][], opens: (number | null)[][] }} Reading
 * @typedef {{ kind: "grid", stops: string[][], start: number[], at: number[] }} Grid
 * @typedef {{ kind: "one", readings: Reading[] }} Readings
 * @typedef {(Grid | Readings) & { packed: string }} Tour
 * @typedef {{ look: Record<string, string>, parts: string[], states: State[] }} Pictures
 */
const WALK = 900; // milliseconds in which a step can be seen
/** @type {Map<string, Tour>} */
const tours = new Map();

function openExplorers() {
  for (const one of document.querySelectorAll(".explorer")) {
    const figure = /** @type {HTMLElement} */ (one);
    const start = JSON.parse(figure.querySelector("script").textContent);
    if (start.kind === "twin") openTwin(figure, start);
    else openExplorer(figure, start);
  }
}

/** @param {HTMLElement} figure @param {{ kind: string, controls: Control[] }} start */
function openExplorer(figure, { kind, controls }) {
  const box = figure.querySelector(".controls");
  const screen = screenOf(figure);
  const at = controls.map((control) => control.start);
  let reading = 0;
  /** @type {Promise<{ tour: Tour, pictures: Pictures }> | undefined} */
  let arriving;

  const bringTour = () => {
    arriving ??= screen.wait(
      bring(figure.dataset.script).then(async () => {
        const tour = tours.get(figure.dataset.explorer);
        return { tour, pictures: /** @type {Pictures} */ (await unpacked(tour.packed)) };
      }),
    );
    return arriving;
  };
  const show = async () => {
    const { tour, pictures } = await bringTour();
    const number = tour.kind === "grid" ? inGrid(tour, at) : inReading(tour.readings[reading], at);
    if (number !== null) screen.show(pictures, number);
    figure.dataset.at = at.join(" "); // what is shown now
  };
  // Move one control; where only one moves at a time, the others go back to their start.
  /** @param {number} moved @param {number} stop */
  const move = async (moved, stop) => {
    const { tour } = await bringTour();
    if (tour.kind === "one") {
      const [first] = tour.readings;
      const opened = first.opens[moved][stop] ?? (opensAny(first, moved) ? 0 : null);
      reading = opened ?? reading;
      const now = tour.readings[reading];
      for (const [place, line] of lines.entries()) {
        if (opened !== null || place !== moved)
          at[place] = opened === null && opensAny(first, place) ? at[place] : now.start[place];
        if (!opensAny(first, place)) line.offer(now.stops[place]);
      }
      if (opened !== null) for (const [place] of lines.entries()) if (opensAny(first, place)) at[place] = place === moved ? stop : first.start[place];
    }
    at[moved] = stop;
    for (const [place, line] of lines.entries()) line.set(at[place]);
    await show();
  };
  const lines = controls.map((control, place) => lineOf(control, (stop) => move(place, stop)));
  box.append(...lines.map((line) => line.element));
  figure.append(...below(figure, kind, controls, screen, async () => {
    const { tour } = await bringTour();
    const start = tour.kind === "grid" ? tour.start : tour.readings[0].start;
    reading = 0;
    for (const [place, line] of lines.entries()) {
      if (tour.kind === "one") line.offer(tour.readings[0].stops[place]);
      at[place] = start[place];
      line.set(at[place]);
    }
    await show();
  }, show));
}

/** @param {Reading} reading @param {number} place */
const opensAny = (reading, place) => reading.opens[place].some((number) => number !== null);

/** @param {Grid} grid @param {number[]} at */
function inGrid(grid, at) {
  return grid.at[grid.stops.reduce((number, stops, place) => number * stops.length + at[place], 0)];
}

// Return the picture of the one control that stands away from its start, or of the start.
/** @param {Reading} reading @param {number[]} at */
function inReading(reading, at) {
  const walked = reading.at.map((numbers, place) => (numbers.some((n) => n !== null) ? place : -1)).filter((n) => n >= 0);
  const moved = walked.find((place) => at[place] !== reading.start[place] && reading.at[place][at[place]] !== null);
  const place = moved ?? walked.find((one) => reading.at[one][reading.start[one]] !== null);
  return reading.at[place][moved === undefined ? reading.start[place] : at[place]];
}

// What shows pictures, words and numbers of an explorer.
/** @param {HTMLElement} figure */
function screenOf(figure) {
  const frame = /** @type {HTMLElement} */ (figure.querySelector(".picture"));
  const caption = figure.querySelector("figcaption");
  const numbers = document.createElement("div");
  numbers.className = "numbers";
  numbers.hidden = true;
  numbers.tabIndex = 0;
  /** @type {((scene: Scene) => void) | undefined} */
  let draw;

  /** @param {Pictures} pictures @param {number} number */
  const show = ({ look, parts, states }, number) => {
    const { size, order, parts: drawn, words, numbers: table } = states[number];
    const shown = Object.fromEntries(order.map((name, n) => [name, parts[drawn[n]]]));
    put({ number, size, look, order, parts: shown }, words);
    numbers.innerHTML = table;
  };
  /** @param {Scene} scene @param {string} words */
  const put = (scene, words) => {
    if (!draw) {
      frame.replaceChildren();
      draw = openScene(frame);
    }
    frame.style.setProperty("--wide", `${scene.size[0]}px`);
    draw(scene);
    const svg = frame.querySelector("svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", words);
    caption.textContent = words;
    figure.dataset.picture = String(scene.number);
  };
  // Show that something is on its way, and say what went wrong.
  /** @template T @param {Promise<T>} promise @returns {Promise<T>} */
  const wait = async (promise) => {
    const bar = document.createElement("progress");
    bar.setAttribute("aria-label", "Bringing the pictures");
    frame.after(bar);
    try {
      return await promise;
    } catch (error) {
      const told = document.createElement("p");
      told.className = "error";
      told.setAttribute("role", "alert");
      told.textContent = `The pictures cannot be shown: ${/** @type {Error} */ (error).message}`;
      frame.after(told);
      throw error;
    } finally {
      bar.remove();
    }
  };
  return { show, put, wait, numbers };
}

let controlsMade = 0; // on this page

// Return one control: its name, the browser's own input, what it says, and a way to set it.
/** @param {Control} control @param {(stop: any) => Promise<void>} moved */
function lineOf(control, moved) {
  const element = document.createElement("div");
  element.className = "control";
  const label = document.createElement("label");
  label.textContent = control.label;
  label.htmlFor = `course-control-${controlsMade++}`;
  let stops = control.stops;
  const input = inputOf(control);
  const said = document.createElement("output");
  said.htmlFor = label.htmlFor;
  input.id = label.htmlFor;
  element.append(label, input);
  const isSlider = control.kind === "slider";
  if (isSlider) element.append(said);
  element.classList.toggle("named", isSlider && stops.some((stop) => stop.length > 8));

  /** @param {string[]} offered */
  const offer = (offered) => {
    if (offered.length === stops.length && offered.every((stop, n) => stop === stops[n])) return;
    stops = offered;
    if (input instanceof HTMLSelectElement) input.replaceChildren(...optionsOf(stops));
    else if (isSlider) input.max = String(stops.length - 1);
  };
  /** @param {any} stop */
  const set = (stop) => {
    if (control.kind === "typed") input.value = stop;
    else if (input instanceof HTMLSelectElement) input.selectedIndex = stop;
    else if (input.type === "checkbox") input.checked = stop === 1;
    else {
      input.value = String(stop);
      input.setAttribute("aria-valuetext", stops[stop] ?? "");
      said.textContent = stops[stop] ?? "";
    }
  };
  const now = () => {
    if (control.kind === "typed") return input.value;
    if (input instanceof HTMLSelectElement) return input.selectedIndex;
    return input.type === "checkbox" ? Number(input.checked) : Number(input.value);
  };
  input.addEventListener(isSlider ? "input" : "change", () => {
    set(now());
    moved(now());
  });
  if (control.playable) element.append(playerOf(control.label, () => [Number(now()), stops.length], (stop) => {
    set(stop);
    return moved(stop);
  }));
  set(control.start);
  return { element, offer, set };
}

/** @param {Control} control */
function inputOf(control) {
  if (control.kind === "choice" || control.kind === "text") {
    const list = document.createElement("select");
    list.append(...optionsOf(control.stops));
    return list;
  }
  const input = document.createElement("input");
  if (control.kind === "typed") {
    input.type = "text";
    input.maxLength = 2000;
    input.placeholder = control.hint ?? "";
    return input;
  }
  input.type = control.kind === "switch" ? "checkbox" : "range";
  if (input.type === "range") {
    input.min = "0";
    input.max = String(control.stops.length - 1);
    input.step = "1";
  }
  return input;
}

/** @param {string[]} stops */
function optionsOf(stops) {
  return stops.map((stop) => {
    const option = document.createElement("option");
    option.textContent = stop || "(nothing typed)";
    return option;
  });
}

// A button that walks on by itself, a step and a pause, until the end or the next press.
/** @param {string} label @param {() => [number, number]} where @param {(stop: number) => Promise<void>} go */
function playerOf(label, where, go) {
  const button = document.createElement("button");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let playing = false;
  button.type = "button";
  const name = () => {
    const does = still.matches ? "Next" : playing ? "Pause" : "Play";
    button.textContent = `${{ Next: "▸", Pause: "❚❚", Play: "▶" }[does]} ${does}`;
    button.setAttribute("aria-label", `${does}: ${label}`);
  };
  button.addEventListener("click", async () => {
    playing = !playing;
    name();
    while (playing) {
      const [at, count] = where();
      await go(at + 1 < count ? at + 1 : 0);
      const [now] = where();
      if (still.matches || now + 1 >= count) break;
      await new Promise((done) => setTimeout(done, WALK));
    }
    playing = false;
    name();
  });
  name();
  return button;
}

/**
 * @param {HTMLElement} figure @param {string} kind @param {Control[]} controls
 * @param {ReturnType<typeof screenOf>} screen
 * @param {() => Promise<void>} reset @param {() => Promise<void>} show
 */
function below(figure, kind, controls, screen, reset, show) {
  const buttons = document.createElement("div");
  const table = document.createElement("button");
  const back = document.createElement("button");
  const aside = document.createElement("p");
  buttons.className = "buttons";
  for (const button of [table, back]) button.type = "button";
  table.textContent = "Show the numbers";
  table.setAttribute("aria-pressed", "false");
  back.textContent = "Back to the start";
  table.addEventListener("click", async () => {
    if (screen.numbers.hidden && !figure.dataset.picture) await show();
    screen.numbers.hidden = !screen.numbers.hidden;
    table.setAttribute("aria-pressed", String(!screen.numbers.hidden));
  });
  back.addEventListener("click", reset);
  screen.numbers.setAttribute("role", "region");
  screen.numbers.setAttribute("aria-label", "Numbers");
  buttons.append(table, back);
  aside.className = "aside";
  aside.textContent = limits(kind, controls);
  return [buttons, screen.numbers, aside];
}

// Return what this page cannot do that a notebook can.
/** @param {string} kind @param {Control[]} controls */
function limits(kind, controls) {
  const fewer = controls.filter((control) => control.kind === "slider" && control.stops.length < control.places);
  const typed = controls.some((control) => control.kind === "text");
  const said = [];
  if (kind === "one" && controls.length > 1) said.push("one control moves at a time and the others go back to their start");
  if (fewer.length) {
    const names = fewer.map((control) => `“${control.label}” stops at ${control.stops.length} of ${control.places} places`);
    said.push(names.join(", "));
  }
  if (typed) said.push("texts are chosen from a list");
  if (!said.length) return "";
  return `On this page ${said.join("; ")}. In JupyterLab everything moves freely, everywhere.`;
}
