// Every piece of text in our outputs that stands out too little from what lies behind it, by the
// WCAG's rule for level AA: 4.5 to 1, or 3 to 1 for large letters.
() => {
  // pages have thousands of texts and a few colours, and texts share what lies behind them
  const remembered = (compute) => {
    const known = new Map();
    return (asked) => {
      if (!known.has(asked)) known.set(asked, compute(asked));
      return known.get(asked);
    };
  };
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const numbers = remembered((colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  });
  const over = ([r, g, b], alpha, back) =>
    [r, g, b].map((channel, k) => alpha * channel + (1 - alpha) * back[k]);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  // from the page's own paper up to what lies directly behind the letters, and how opaque they are
  const ground = remembered((node) => {
    if (!node) return { back: [255, 255, 255], opacity: 1 };
    const under = ground(node.parentElement);
    const style = getComputedStyle(node);
    const [r, g, b, alpha] = numbers(style.backgroundColor);
    const back = alpha ? over([r, g, b], alpha / 255, under.back) : under.back;
    return { back, opacity: under.opacity * style.opacity };
  });

  const found = [];
  for (const output of document.querySelectorAll(".jp-OutputArea-output")) {
    const walker = document.createTreeWalker(output, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: node, textContent } = walker.currentNode;
      if (!textContent.trim() || node.closest("style, script, option, [inert]")) continue;
      if (node.closest(".course-drawing")) continue; // a picture: tests/plots measures its inks
      if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const { back, opacity } = ground(node);
      const style = getComputedStyle(node);
      const ink = numbers(style.color);
      const [low, high] = [over(ink, (opacity * ink[3]) / 255, back), back].map(luminance).sort((a, b) => a - b);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
      const ratio = (high + 0.05) / (low + 0.05);
      if (ratio < (large ? 3 : 4.5)) found.push(`${textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
    }
  }
  return found;
}
