// Explorers that compute here, on the page: any text, every unit, every step. The script that does it
// and the models that it reads are brought when the first control is touched.
/**
 * @typedef {object} Seen
 * @property {Record<string, any>} values what every control says now
 * @property {Record<string, string[]>} offers
 * @property {[number, number]} size
 * @property {Record<string, string>} parts
 * @property {string[]} [order] of parts whose names are numbers
 * @property {string} words
 * @property {{ headers: string[], rows: (string | number)[][] }} table
 */
/** @type {Map<string, string>} */
const models = new Map();
/** @type {Map<string, any>} */
const readModels = new Map();

// Return a model, read once for all explorers of a page.
/** @param {string} name */
function modelOf(name) {
  if (!readModels.has(name)) {
    readModels.set(name, /** @type {any} */ (window).course.twins.readModel(bytesOf(models.get(name))));
    models.delete(name);
  }
  return readModels.get(name);
}

/** @param {HTMLElement} figure @param {{ controls: Control[], names: string[], look: Record<string, string>, models: string[] }} start */
function openTwin(figure, { controls, names, look, models: wanted }) {
  const screen = screenOf(figure);
  const home = figure.dataset.script.replace(/tours\/.*/, "");
  const first = Object.fromEntries(names.map((name, place) => [name, controls[place].start]));
  let values = { ...first };
  let pictures = 0;
  /** @type {Promise<(values: Record<string, any>) => Seen> | undefined} */
  let arriving;

  const bringTwin = () => {
    const wants = [`${home}twins.js`, figure.dataset.script, ...wanted.map((name) => `${home}models/${name}.js`)];
    arriving ??= screen.wait(
      Promise.all(wants.map(bring)).then(() => {
        const { twins } = /** @type {any} */ (window).course;
        const { name, data } = /** @type {any} */ (tours.get(figure.dataset.explorer)).twin;
        const update = twins[name](data, Object.fromEntries(wanted.map((model) => [model, modelOf(model)])), first);
        update(first); // what it offers at the start
        return update;
      }),
    );
    return arriving;
  };
  const told = document.createElement("p");
  told.className = "error";
  told.setAttribute("role", "alert");
  const show = async () => {
    const update = await bringTwin();
    try {
      const seen = update(values);
      values = seen.values;
      for (const [name, stops] of Object.entries(seen.offers)) lines[names.indexOf(name)].offer(stops);
      for (const [place, name] of names.entries()) lines[place].set(values[name]);
      const order = seen.order ?? Object.keys(seen.parts);
      screen.put({ number: ++pictures, size: seen.size, look, order, parts: seen.parts }, seen.words);
      screen.numbers.replaceChildren(tableOf(seen.table));
      told.remove();
    } catch (error) {
      told.textContent = `The picture below is the last that worked: ${/** @type {Error} */ (error).message}`;
      figure.querySelector(".picture").before(told);
    }
    figure.dataset.at = Object.values(values).join(" ");
  };
  const lines = controls.map((control, place) =>
    lineOf({ ...control, kind: control.kind === "text" ? "typed" : control.kind }, (stop) => {
      values = { ...values, [names[place]]: stop };
      return show();
    }),
  );
  figure.querySelector(".controls").append(...lines.map((line) => line.element));
  const reset = () => {
    values = { ...first };
    return show();
  };
  figure.append(...below(figure, "twin", [], screen, reset, show));
}

/** @param {Seen["table"]} table */
function tableOf({ headers, rows }) {
  const { wholeOrRounded } = /** @type {any} */ (window).course.twins;
  const made = document.createElement("table");
  const head = made.createTHead().insertRow();
  for (const name of headers) head.append(Object.assign(document.createElement("th"), { textContent: name }));
  const body = made.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    for (const value of row) line.insertCell().textContent = typeof value === "number" ? wholeOrRounded(value) : value;
  }
  return made;
}
