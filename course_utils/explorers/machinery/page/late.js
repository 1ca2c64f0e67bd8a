// Let a widget hear its kernel although its script came late. anywidget gives a script two seconds, and
// refuses every message to one that took longer, as a slow machine does where a page fills with explorers.
/** @param {import("@anywidget/types").AnyModel} model */
async function hearThoughLate(model) {
  const own = /** @type {any} */ (await model.widget_manager.get_model(model.get("itself")));
  const asUsual = Object.getPrototypeOf(own.constructor.prototype)._handle_comm_msg;
  own.comm?.on_msg(asUsual.bind(own));
}
