// Search all lectures: the index is a script, brought when somebody begins to search.
/** @typedef {[page: string, lecture: string, name: string, title: string, text: string]} Entry */
const MOST_FOUND = 12;
const AROUND = 60; // letters before and after what was found

/** @type {Entry[]} */
let entries;

function offerSearch() {
  const home = document.documentElement.dataset.home;
  const form = document.createElement("form");
  const label = "Search all lectures";
  form.role = "search";
  form.innerHTML = `<input type="search" placeholder="Search" aria-label="${label}" autocomplete="off"><ul class="found" aria-label="Found"></ul>`;
  document.querySelector(".bar").append(form);
  const field = form.querySelector("input");
  const list = form.querySelector("ul");
  const look = () => {
    const links = entries ? found(field.value).map((entry) => linkTo(home, entry, field.value)) : [];
    list.replaceChildren(...links);
    if (entries && field.value.trim().length > 1 && !links.length) list.append(nothing());
  };
  field.addEventListener("focus", () => bring(`${home}search-index.js`).then(look), { once: true });
  field.addEventListener("input", look);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    field.value = "";
    look();
  });
  document.addEventListener("click", (event) => {
    const pressed = /** @type {Element} */ (event.target);
    if (!form.contains(pressed) || pressed.closest("a")) list.replaceChildren();
  });
}

// Return what holds every word, the best first: words of a heading count most.
/** @param {string} asked */
function found(asked) {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length || asked.trim().length < 2) return [];
  /** @type {{ entry: Entry, points: number }[]} */
  const hits = [];
  for (const entry of entries) {
    const title = entry[3].toLowerCase();
    const text = entry[4].toLowerCase();
    let points = 0;
    for (const word of words) {
      const here = text.split(word).length - 1;
      const above = title.includes(word) ? 20 : 0;
      if (!here && !above) {
        points = 0;
        break;
      }
      points += above + Math.min(here, 8);
    }
    if (points) hits.push({ entry, points });
  }
  return hits.sort((a, b) => b.points - a.points).slice(0, MOST_FOUND).map((hit) => hit.entry);
}

/** @param {string} home @param {Entry} entry @param {string} asked */
function linkTo(home, [page, lecture, name, title, text], asked) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const small = document.createElement("small");
  link.href = `${home}${page}#${encodeURIComponent(name)}`;
  link.append(title, small);
  const word = asked.toLowerCase().split(/\s+/).find((one) => one && text.toLowerCase().includes(one));
  const at = word ? text.toLowerCase().indexOf(word) : 0;
  const from = Math.max(0, at - AROUND);
  small.append(`${lecture} · ${from ? "…" : ""}${text.slice(from, at)}`);
  if (word) {
    const mark = document.createElement("mark");
    mark.textContent = text.slice(at, at + word.length);
    small.append(mark);
  }
  small.append(`${text.slice(at + (word?.length ?? 0), at + AROUND)}…`);
  item.append(link);
  return item;
}

function nothing() {
  const item = document.createElement("li");
  item.textContent = "Nothing found.";
  return item;
}
