// Show the scene that the kernel keeps, and follow its changes.
// What is shown may be drawn ahead. It is no part of the widget, whose state a notebook may save.
/** @type {Map<string, { scene?: Scene, drawn: Set<() => void> }>} */
const shown = new Map();

/** @param {import("@anywidget/types").AnyModel} model */
function shownOf(model) {
  const name = model.get("itself");
  if (!shown.has(name)) shown.set(name, { drawn: new Set() });
  return shown.get(name);
}

/** @type {import("@anywidget/types").Initialize} */
function initialize({ model }) {
  hearThoughLate(model);
  const ahead = openAhead(model, (scene) => {
    const now = shownOf(model);
    now.scene = scene;
    for (const draw of now.drawn) draw();
  });
  const ask = () => model.send({ has: model.get("scene").number });
  /** @param {any} said */
  const follow = (said) => {
    if (said.ahead) return ahead.came(said);
    if (said.forget !== undefined) return ahead.forget();
    if (said.back !== undefined) return ahead.back();
    const scene = changed(model.get("scene"), said);
    if (scene) model.set("scene", scene);
    else ask();
  };
  model.on("msg:custom", follow);
  model.on("change:scene", ahead.arrived);
  ask(); // what came before this line is lost
  return () => {
    model.off("msg:custom", follow);
    model.off("change:scene", ahead.arrived);
    shown.delete(model.get("itself"));
  };
}

/** @type {import("@anywidget/types").Render} */
function render({ model, el }) {
  const draw = openScene(el);
  const now = shownOf(model);
  let pictures = 0;
  const show = () => {
    draw(now.scene ?? model.get("scene"));
    el.dataset.picture = String(++pictures);
  };
  now.drawn.add(show);
  show();
  return () => {
    now.drawn.delete(show);
  };
}

export default { initialize, render };
