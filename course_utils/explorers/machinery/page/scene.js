// Draw a scene: a picture made of named parts, each of them a piece of SVG. Of a part that changed,
// only what differs is touched, so that what moves stays the same element.
// Needs nothing but a page: no notebook and no kernel.
/**
 * @typedef {object} Scene
 * @property {number} number which picture this is
 * @property {[number, number]} size width and height in its own pixels
 * @property {Record<string, string>} look attributes of the whole
 * @property {string[]} order the names of the parts, what lies lowest first
 * @property {Record<string, string>} parts
 */

const SVG = "http://www.w3.org/2000/svg";

// Return what draws a scene inside an element of the page, now and whenever it has changed.
/** @param {Element} frame */
function openScene(frame) {
  const mark = `course-scene-${number()}-`; // before every id: two pictures may share names
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "course-drawing");
  frame.append(svg);
  /** @type {Map<string, { node: Element, text: string }>} */
  const shown = new Map();

  /** @param {string} name @param {string} text */
  const put = (name, text) => {
    const part = shown.get(name) ?? { node: document.createElementNS(SVG, "g"), text: "" };
    if (part.text !== text) become(part.node, parsed(text, mark));
    part.text = text;
    shown.set(name, part);
    return part.node;
  };
  /** @param {Scene} scene */
  const draw = ({ size, look, order, parts }) => {
    const box = `0 0 ${size.join(" ")}`;
    for (const [name, value] of Object.entries({ ...look, viewBox: box }))
      if (svg.getAttribute(name) !== value) svg.setAttribute(name, value);
    let next = svg.firstElementChild;
    for (const name of order) {
      const node = put(name, parts[name]);
      if (node === next) next = next.nextElementSibling;
      else svg.insertBefore(node, next);
    }
    while (next) {
      const gone = next;
      next = next.nextElementSibling;
      gone.remove();
    }
    for (const [name, { node }] of shown) if (!node.parentNode) shown.delete(name);
  };
  return draw;
}

// Count the pictures of the page, which keeps the number: every widget may load this script anew.
function number() {
  const { dataset } = document.documentElement;
  dataset.courseScenes = `${Number(dataset.courseScenes ?? 0) + 1}`;
  return dataset.courseScenes;
}

// Return the scene after a change to it, or nothing where a change before this one is missing.
/** @param {Scene} scene @param {Partial<Scene>} change */
function changed(scene, change) {
  if (change.number !== scene.number + 1) return;
  const parts = { ...scene.parts, ...change.parts };
  const order = change.order ?? scene.order;
  return { ...scene, ...change, parts: Object.fromEntries(order.map((name) => [name, parts[name]])) };
}

/** @param {string} text @param {string} mark */
function parsed(text, mark) {
  const holder = document.createElement("template");
  holder.innerHTML = `<svg><g>${marked(text, mark)}</g></svg>`;
  return holder.content.querySelector("g");
}

// Return SVG whose names are the page's only ones; inside words these letters are written otherwise.
/** @param {string} text @param {string} mark */
function marked(text, mark) {
  return text.replace(/( id="| href="#|="url\(#)/g, `$1${mark}`);
}

/** @param {Element} node @param {Element} wanted */
function become(node, wanted) {
  for (const { name } of [...node.attributes])
    if (!wanted.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of wanted.attributes)
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  const kept = new Map([...node.children].map((child) => [keyOf(child), child]));
  /** @type {Node} */
  let next = node.firstChild;
  for (const part of [...wanted.childNodes]) {
    const key = keyOf(part);
    const twin = key ? kept.get(key) : next;
    if (twin && isLike(twin, part)) {
      if (twin === next) next = next.nextSibling;
      else node.insertBefore(twin, next);
      if (twin instanceof Element) become(twin, /** @type {Element} */ (part));
      else if (twin.nodeValue !== part.nodeValue) twin.nodeValue = part.nodeValue;
    } else node.insertBefore(part, next);
  }
  while (next) {
    const gone = next;
    next = next.nextSibling;
    node.removeChild(gone);
  }
}

/** @param {Node} node @param {Node} part */
function isLike(node, part) {
  return node.nodeName === part.nodeName && keyOf(node) === keyOf(part);
}

/** @param {Node} node */
function keyOf(node) {
  return /** @type {SVGElement} */ (node).dataset?.key; // text has none
}
