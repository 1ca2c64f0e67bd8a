// Beside every explorer its cell holds a still: the last picture and its words, for pages that have
// no kernel. Hide it where the explorer lives, and have it renewed when the picture comes to rest.
const AT_REST = 700; // milliseconds

/** @param {import("@anywidget/types").AnyModel} model @param {Element} box */
function keepStill(model, box) {
  const name = [...box.classList].find((name) => name.startsWith("course-still-"));
  const style = document.createElement("style");
  style.textContent = `#${name}, .jp-OutputArea-child:has(#${name}) { display: none }`;
  document.head.append(style);
  /** @type {number | undefined} */
  let timer;
  /** @type {string | undefined} */
  let kept;
  const renew = () => {
    /** @type {HTMLElement} */
    const picture = box.querySelector(".course-picture");
    const now = picture?.dataset.picture;
    if (!now || now === kept) return;
    clearTimeout(timer);
    if (kept) timer = setTimeout(() => model.send({ renew: "still" }), AT_REST);
    kept = now;
  };
  const stop = () => {
    clearTimeout(timer);
    style.remove();
  };
  return { renew, stop };
}
