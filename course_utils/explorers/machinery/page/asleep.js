// Say on the explorer itself that its kernel is gone: its controls would move and nothing answer.
const ASLEEP =
  "The kernel that drew this picture was restarted. Run this cell again (Shift+Enter), " +
  "and the cells above it if it asks for them.";

function sayIfAsleep(box) {
  const gone = box.classList.contains("jupyter-widgets-disconnected");
  let told = box.querySelector(":scope > .course-asleep");
  if (gone === Boolean(told)) return;
  for (const part of box.children) part.inert = gone;
  if (!gone) return told.remove();
  told = document.createElement("div");
  told.className = "course-asleep";
  told.setAttribute("role", "alert");
  box.prepend(told);
  told.textContent = ASLEEP;
}
