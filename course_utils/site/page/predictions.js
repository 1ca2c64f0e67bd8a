// Keep what the reader predicts, in this browser, and show it beside what came out.
function keepPredictions() {
  for (const box of document.querySelectorAll("[data-prediction]")) openPrediction(box);
}

/** @param {Element} box */
function openPrediction(box) {
  const name = /** @type {HTMLElement} */ (box).dataset.prediction;
  const place = `course-guess-${name}`;
  /** @type {HTMLInputElement[]} */
  const fields = [...box.querySelectorAll("input")];
  const before = kept(place) ?? "";
  for (const field of fields) {
    if (field.type === "radio") field.checked = field.value === before;
    else field.value = before;
  }
  const take = () => {
    const one = fields.find((field) => field.type !== "radio" || field.checked);
    tell(one?.value.trim() ?? "");
  };
  /** @param {string} guess */
  const tell = (guess) => {
    const result = document.querySelector(`[data-result="${CSS.escape(name)}"] .guess`);
    const isKept = guess === before || keep(place, guess);
    const lost = isKept ? "" : " (this browser keeps nothing)";
    if (result) result.textContent = guess ? `You wrote “${guess}”${lost}. ` : "You wrote nothing down. ";
  };
  for (const field of fields) {
    field.addEventListener("input", take);
    field.addEventListener("change", take);
  }
  tell(before);
}
