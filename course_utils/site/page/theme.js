// Light or dark: as the system has it, until the reader says otherwise. What was chosen before is set
// in the head of the page, before anything is drawn.
const THEME = "course-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

// Storage may be switched off: then nothing is kept, and everything else works.
/** @param {string} name */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
function keep(name, value) {
  try {
    localStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

function offerTheme() {
  const bar = document.querySelector(".bar");
  const button = document.createElement("button");
  const isDark = () =>
    (document.documentElement.getAttribute("theme") ?? (system.matches ? "dark" : "light")) === "dark";
  const name = () => {
    button.textContent = isDark() ? "☀" : "☾";
    button.setAttribute("aria-label", isDark() ? "Switch to light" : "Switch to dark");
  };
  button.type = "button";
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.setAttribute("theme", theme);
    keep(THEME, theme);
    name();
  });
  system.addEventListener("change", name);
  name();
  bar.append(button);
}
