// What an audience can read on the slide that is shown, once the window has its size, the kernel owes
// nothing and the slide is laid out, measured in the page; null where no slide is shown.
async (size) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while (innerWidth !== size.width || innerHeight !== size.height) await frame();
  await window.course.settled();
  await frame(); // a picture that has just been decoded may have changed the layout
  await frame();
  const panel = document.querySelector(".course-deck-panel");
  if (!panel) return null;
  const cells = window.course.panel.content.widgets.map((cell) => cell.node);
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const shown = cells.filter(seen);
  const area = panel.querySelector(".jp-WindowedPanel-outer");
  const wall = area.getBoundingClientRect();
  const outside = (box) =>
    box.width && box.height && (box.top < wall.top - 1 || box.left < wall.left - 1
      || box.bottom > wall.bottom + 1 || box.right > wall.right + 1);
  // how much of the shorter one of two stretches lies in the other
  const shared = (a, b, c, d) => (Math.min(b, d) - Math.max(a, c)) / Math.min(b - a, d - c);
  const name = (node) => node.tagName.toLowerCase() + [...node.classList].map((c) => `.${c}`).join("");

  // every piece of text, but for the letters inside formulas, whose line is as large as the text
  const texts = [];
  const walker = document.createTreeWalker(area, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
    if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
    const isElsewhere = node.matches(".jp-Cell") && !node.checkVisibility(); // on another slide
    return isElsewhere ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  while (walker.nextNode()) {
    const { parentElement: node, textContent } = walker.currentNode;
    if (!textContent.trim() || node.closest("style, script, mjx-container, svg") || !seen(node)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    if (!box.width || getComputedStyle(node).clipPath !== "none") continue;
    const button = node.closest("button"); // what lies under its edge is covered, too
    const rows = button ? [button.getBoundingClientRect()] : [...range.getClientRects()];
    texts.push({ text: textContent.trim().slice(0, 40), size: parseFloat(getComputedStyle(node).fontSize), box, rows, button, long: node.closest(".course-long") });
  }
  for (const node of area.querySelectorAll("mjx-container"))
    if (seen(node)) texts.push({ text: "formula", size: parseFloat(getComputedStyle(node).fontSize), box: wall, rows: [] });
  // rows of text that lie on one another
  const rows = texts.flatMap(({ text, rows, long, button }) => (long ? [] : rows.map((box) => ({ text, box, button }))));
  const overlaps = rows.flatMap((a, place) => rows.slice(place + 1)
    .filter((b) => !(a.button && a.button === b.button) // a sign and its word share their button
      && shared(a.box.top, a.box.bottom, b.box.top, b.box.bottom) > 0.4
      && shared(a.box.left, a.box.right, b.box.left, b.box.right) > 0.1)
    .map((b) => `${a.text} / ${b.text}`));
  const smallest = texts.reduce((a, b) => (b.size < a.size ? b : a), { text: "", size: Infinity });

  // pictures say themselves how large their letters are; low ones belong to their line
  const drawings = [...area.querySelectorAll(".course-explorer .course-drawing")]
    .map((drawing) => [drawing, seen(drawing) && drawing.getBoundingClientRect().width]);
  for (const image of area.querySelectorAll("img.course-picture")) {
    if (!seen(image) || !image.clientWidth) continue;
    const data = atob(image.src.split(",")[1]);
    const { documentElement } = new DOMParser().parseFromString(data, "image/svg+xml");
    drawings.push([documentElement, image.clientWidth]);
  }
  const letters = drawings.filter(([, width]) => width).map(([drawing, width]) => {
    const sizes = [...drawing.querySelectorAll("text")].map(
      (text) => parseFloat(text.getAttribute("font-size") ?? drawing.getAttribute("font-size")));
    return (Math.min(...sizes) * width) / drawing.viewBox.baseVal.width;
  });
  const parts = [...area.querySelectorAll("img, .course-drawing, table, pre, button, .cm-content")]
    .filter((part) => seen(part) && !part.closest(".course-long"));
  const heading = document.querySelector(".course-deck-heading");
  const bottoms = shown.map((node) => node.getBoundingClientRect().bottom);
  return {
    slide: parseInt(document.querySelector(".course-deck-number").textContent),
    later: panel.querySelectorAll(".course-later").length,
    cells: shown.map((node) => cells.indexOf(node)),
    heading: heading.checkVisibility() ? heading.textContent.trim() : "",
    heading_cut: heading.scrollWidth > heading.clientWidth + 1,
    smallest: smallest.size === Infinity ? null : smallest.size,
    smallest_text: smallest.text,
    letters,
    outside: [
      ...texts.filter(({ box, long }) => !long && outside(box)).map(({ text }) => text),
      ...parts.filter((part) => outside(part.getBoundingClientRect())).map(name),
      ...[...area.querySelectorAll(".cm-scroller")].filter((c) => seen(c) && c.scrollWidth > c.clientWidth + 1).map(name),
    ],
    overlaps,
    scrolls: area.classList.contains("course-scrolls"),
    hidden: Math.max(0, ...[...area.querySelectorAll(".course-long")].filter(seen)
      .map((part) => 1 - part.clientHeight / part.scrollHeight)),
    filled: (Math.max(wall.top, ...bottoms) - wall.top) / wall.height,
  };
}
