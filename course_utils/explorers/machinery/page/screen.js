// Show the scene that the kernel keeps, and follow its changes.
/** @type {import("@anywidget/types").Initialize} */
function initialize({ model }) {
  hearThoughLate(model);
  const ask = () => model.send({ has: model.get("scene").number });
  /** @param {Partial<Scene>} change */
  const follow = (change) => {
    const scene = changed(model.get("scene"), change);
    if (scene) model.set("scene", scene);
    else ask();
  };
  model.on("msg:custom", follow);
  ask(); // what came before this line is lost
  return () => model.off("msg:custom", follow);
}

/** @type {import("@anywidget/types").Render} */
function render({ model, el }) {
  const draw = openScene(el);
  const show = () => {
    const scene = model.get("scene");
    draw(scene);
    el.dataset.picture = String(scene.number);
  };
  model.on("change:scene", show);
  show();
  return () => model.off("change:scene", show);
}

export default { initialize, render };
