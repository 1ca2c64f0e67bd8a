// Show a drawing of shapes. What has the same key stays the same element, so that the page can move
// it from where it was to where it is now.
function render({ model, el }) {
  const show = () => {
    const page = new DOMParser().parseFromString(model.get("value"), "image/svg+xml");
    const wanted = page.documentElement;
    if (el.firstElementChild) become(el.firstElementChild, wanted);
    else el.append(document.importNode(wanted, true));
  };
  model.on("change:value", show);
  show();
  return () => model.off("change:value", show);
}

function become(node, wanted) {
  for (const { name } of [...node.attributes])
    if (!wanted.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of wanted.attributes)
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  const kept = new Map([...node.children].map((child) => [child.dataset.key, child]));
  let next = node.firstChild;
  for (const part of wanted.childNodes) {
    const key = part.dataset?.key;
    const twin = key ? kept.get(key) : next;
    if (twin && isLike(twin, part)) {
      if (twin === next) next = next.nextSibling;
      else node.insertBefore(twin, next);
      if (part.nodeType === Node.ELEMENT_NODE) become(twin, part);
      else if (twin.data !== part.data) twin.data = part.data;
    } else node.insertBefore(document.importNode(part, true), next);
  }
  while (next) {
    const gone = next;
    next = next.nextSibling;
    gone.remove();
  }
}

function isLike(node, part) {
  return node.nodeName === part.nodeName && node.dataset?.key === part.dataset?.key;
}

export default { render };
