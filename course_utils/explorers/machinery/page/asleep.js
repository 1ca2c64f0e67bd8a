// Say on the explorer itself that its kernel is gone: its controls would move, but nothing would answer.
const ASLEEP =
  "The kernel that drew this picture was restarted. Run this cell again (Shift+Enter), " +
  "and the cells above it if it asks for them.";

/** @param {Element} box */
function sayIfAsleep(box) {
  const gone = box.classList.contains("jupyter-widgets-disconnected");
  let told = box.querySelector(":scope > .course-asleep");
  if (gone === Boolean(told)) return;
  for (const part of box.children) /** @type {HTMLElement} */ (part).inert = gone;
  if (!gone) return told.remove();
  told = document.createElement("div");
  told.className = "course-asleep";
  told.setAttribute("role", "alert");
  box.prepend(told);
  told.textContent = ASLEEP;
}
