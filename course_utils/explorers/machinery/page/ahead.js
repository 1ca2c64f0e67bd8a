// Answer a moved control before the kernel does, from pictures that the kernel has drawn ahead: those
// beside the present one, further in the direction in which a reader goes on. The kernel's own picture
// follows and has the last word; whatever else the kernel does takes all these pictures away.
/**
 * @typedef {Record<string, string | number | boolean>} At where every control stands
 * @typedef {{ get: (key: string) => any, on: (event: string, hear: Function) => void, previous: (key: string) => any }} Moved
 */
const [NEAR, FARTHEST] = [2, 8]; // places from here, at first and when a reader goes on
const MOST_KEPT = 64; // pictures

// Return what a screen tells: that a picture came, one drawn ahead too, that none of these is right any more.
/** @param {import("@anywidget/types").AnyModel} model @param {(scene: Scene) => void} show */
function openAhead(model, show) {
  /** @type {Map<string, Scene>} */
  const kept = new Map();
  /** @type {Map<string, Moved>} */
  const controls = new Map();
  /** @type {string[]} */
  let gone = []; // where the reader has been since the kernel's last picture
  let seen = -1; // which of these is shown, none where the kernel's picture is
  let asking = false;
  let last = { name: "", by: 0, far: 0 }; // the move that may go on

  const now = () => Object.fromEntries([...controls].map(([name, control]) => [name, placeOf(control)]));
  /** @param {string} key @param {Scene} scene */
  const keep = (key, scene) => {
    kept.delete(key);
    kept.set(key, scene);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
  };
  /** @param {string} key */
  const find = (key) => {
    const scene = model.get("scene"); // which the kernel does not draw again
    return kept.get(key) ?? (spotOf(scene.at) === key ? scene : undefined);
  };
  /** @param {string} key */
  const showAt = (key) => {
    const scene = find(key);
    if (!scene) return false;
    seen = gone.length - 1;
    show(scene);
    return true;
  };
  const next = () => {
    if (asking || !last.name) return;
    const control = controls.get(last.name);
    const places = stepsFrom(last.by, last.far).map((steps) => beside(control, steps)).filter((place) => place !== undefined);
    const wanted = places.map((place) => ({ ...now(), [last.name]: place })).filter((at) => !find(spotOf(at)));
    asking = wanted.length > 0;
    if (asking) model.send({ ahead: wanted });
  };
  /** @param {string} name @param {Moved} control */
  const moved = (name, control) => {
    const by = wayOf(control);
    const goesOn = by && by === last.by && name === last.name;
    last = { name, by, far: goesOn ? Math.min(2 * last.far, FARTHEST) : NEAR };
    const key = spotOf(now());
    gone.push(key);
    if (showAt(key)) queueMicrotask(next); // behind the control's own message
  };
  const listen = async () => {
    for (const [name, id] of Object.entries(model.get("controls"))) {
      const control = /** @type {any} */ (await model.widget_manager.get_model(id));
      controls.set(name, control);
      // what the kernel moves, it draws: several at once, one picture
      const heard = (/** @type {any} */ _, /** @type {any} */ __, /** @type {any} */ how) => how?.updated_view && moved(name, control);
      control.on(`change:${whatMoves(control)}`, heard);
    }
  };
  const arrived = () => {
    const scene = /** @type {Scene & { at: At }} */ (model.get("scene"));
    const key = spotOf(scene.at);
    if (kept.has(key) && !isSame(kept.get(key), scene)) kept.clear();
    if (controls.size) keep(key, scene);
    const place = gone.lastIndexOf(key);
    if (place >= 0 && place < seen) return next(); // older than what is shown
    gone = place < 0 ? [] : gone.slice(place + 1);
    seen = -1;
    show(scene);
    next();
  };
  /** @param {{ ahead: At[], of: number, changes: (Partial<Scene> | null)[] }} told */
  const came = ({ ahead, of, changes }) => {
    const scene = model.get("scene");
    asking = false;
    for (const [n, change] of changes.entries()) {
      if (!change) last.name = ""; // it takes long, or cannot be
      else if (of === scene.number) keep(spotOf(ahead[n]), changed(scene, { ...change, number: of + 1 }));
    }
    if (seen < gone.length - 1) showAt(gone.at(-1));
    next();
  };
  const forget = () => {
    kept.clear();
    asking = false;
    last.name = "";
  };
  const back = () => {
    gone = [];
    seen = -1;
    show(model.get("scene"));
  };
  listen();
  return { arrived, came, forget, back };
}

/** @param {Moved} control */
const whatMoves = (control) => (control.get("_options_labels") ? "index" : "value");

/** @param {Moved} control */
const placeOf = (control) => control.get(whatMoves(control));

// Return a name for a place; numbers that differ only in how they were added up are the same.
/** @param {At} at */
const spotOf = (at) => JSON.stringify(at, (_, value) => (typeof value === "number" ? Number(value.toPrecision(10)) : value));

// Return where a control would stand so many places further, nothing where there is none.
/** @param {Moved} control @param {number} steps */
function beside(control, steps) {
  const place = placeOf(control);
  if (typeof place === "boolean") return Math.abs(steps) === 1 ? !place : undefined;
  if (typeof place !== "number") return;
  const labels = control.get("_options_labels");
  if (labels) return labels[place + steps] === undefined ? undefined : place + steps;
  const [step, base, low, high] = ["step", "base", "min", "max"].map((name) => control.get(name));
  const exponent = base ? Math.log(place) / Math.log(base) : place;
  const wanted = Number((exponent + steps * step).toFixed(10));
  if (wanted < low || wanted > high) return;
  return base ? base ** wanted : wanted;
}

// Return by how many places a control has just moved, 0 where it jumped.
/** @param {Moved} control */
function wayOf(control) {
  const before = control.previous(whatMoves(control));
  const back = [-1, 1].find((steps) => spotOf({ place: beside(control, steps) ?? "" }) === spotOf({ place: before }));
  return back === undefined ? 0 : -back;
}

// Return places worth asking for, the likeliest first.
/** @param {number} by @param {number} far */
function stepsFrom(by, far) {
  if (!by) return [1, -1, 2, -2];
  return [...Array.from({ length: far }, (_, n) => by * (n + 1)), -by];
}

/** @param {Scene} one @param {Scene} other */
function isSame(one, other) {
  return one.order.length === other.order.length
    && one.order.every((name, n) => name === other.order[n] && one.parts[name] === other.parts[name]);
}
