// What the page's data scripts call, and where everything begins.
/** @type {any} */ (window).course = {
  /** @param {string} key @param {Tour} tour */
  tour: (key, tour) => tours.set(key, tour),
  /** @param {string} name @param {string} packed */
  model: (name, packed) => models.set(name, packed),
  /** @param {Entry[]} found */
  search: (found) => {
    entries = found;
  },
};
offerSearch();
offerTheme();
keepPredictions();
openExplorers();
