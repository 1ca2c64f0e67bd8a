// Every piece of text in our outputs that stands out too little from what lies behind it, by the
// WCAG's rule for level AA: 4.5 to 1, or 3 to 1 for large letters.
() => {
  const numbers = (colour) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const over = ([r, g, b], alpha, back) =>
    [r, g, b].map((channel, k) => alpha * channel + (1 - alpha) * back[k]);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const chain = (node) => (node ? [node, ...chain(node.parentElement)] : []);

  const found = [];
  for (const output of document.querySelectorAll(".jp-OutputArea-output")) {
    const walker = document.createTreeWalker(output, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: node, textContent } = walker.currentNode;
      if (!textContent.trim() || node.closest("style, script, option, [inert]")) continue;
      if (node.closest(".course-drawing")) continue; // a picture: tests/plots measures its inks
      if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const above = chain(node);
      // from the page's own paper up to what lies directly behind the letters
      const back = above.reduceRight((behind, each) => {
        const [r, g, b, alpha] = numbers(getComputedStyle(each).backgroundColor);
        return alpha ? over([r, g, b], alpha / 255, behind) : behind;
      }, [255, 255, 255]);
      const style = getComputedStyle(node);
      const alpha = above.reduce((all, each) => all * getComputedStyle(each).opacity, 1);
      const ink = numbers(style.color);
      const [low, high] = [over(ink, (alpha * ink[3]) / 255, back), back].map(luminance).sort((a, b) => a - b);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
      const ratio = (high + 0.05) / (low + 0.05);
      if (ratio < (large ? 3 : 4.5)) found.push(`${textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
    }
  }
  return found;
}
