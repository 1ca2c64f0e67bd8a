// The course's part of JupyterLab: a button, a command, and one deck at a time.
import { Deck, placeToResume } from "./deck.js";
import { recall, remember } from "./memory.js";
import { Runs } from "./runs.js";
import { stayUntouched } from "./untouched.js";

const COMMAND = "course:present";

export function makePlugin({ notebook: nb, outputarea, ui }) {
  const { INotebookTracker, NotebookActions } = nb;
  return {
    id: "recurrent-course:deck",
    description: "Shows a lecture as slides, with a window for the presenter.",
    autoStart: true,
    requires: [INotebookTracker],
    activate(app, tracker) {
      loadStyle();
      const runs = new WeakMap();
      const tools = { outputarea, save: () => app.commands.execute("docmanager:save") };
      const wanted = askedFor();
      let deck = null;

      const leave = () => {
        deck?.close();
        deck = null;
      };

      const start = (panel, place) => {
        leave();
        app.shell.activateById(panel.id);
        deck = new Deck(panel, runs.get(panel), tools, leave);
        deck.open(place);
      };

      const present = async (panel) => {
        await panel.context.ready;
        const { slide, step } = recall(panel.context.path);
        start(panel);
        deck.offer(slide, step);
        await panel.sessionContext.ready;
        runs.get(panel).catchUp();
      };

      const resume = async (panel, place) => {
        await panel.revealed;
        start(panel, place);
        await runs.get(panel).ready();
        runs.get(panel).catchUp();
      };

      app.commands.addCommand(COMMAND, {
        label: "Present",
        caption: "Run the lecture and show it as slides, from the first one",
        execute: () => tracker.currentWidget && present(tracker.currentWidget),
      });

      tracker.widgetAdded.connect(async (_, panel) => {
        runs.set(panel, new Runs(panel, NotebookActions));
        stayUntouched(panel);
        addButton(panel, new ui.ToolbarButton({
          label: "Present",
          tooltip: "Run the lecture and show it as slides, from the first one",
          className: "course-present-button",
          onClick: () => present(panel),
        }));
        panel.disposed.connect(() => deck?.panel === panel && leave());
        await panel.context.ready;
        const { path } = panel.context;
        const place = placeToResume(path);
        if (place) resume(panel, place);
        else if (wanted === path && !recall(path).asked) present(panel);
        else runs.get(panel).ready();
        if (wanted === path) remember(path, { asked: true });
      });

      // Who opens another notebook wants to see it.
      app.shell.currentChanged?.connect((_, { newValue }) => {
        if (deck && newValue && newValue !== deck.panel) leave();
      });
    },
  };
}

function addButton(panel, button) {
  panel.toolbar.insertBefore("spacer", "course-present", button) ||
    panel.toolbar.addItem("course-present", button);
}

// The lecture that `course present 03` wants to show: it opens its address with ?present.
function askedFor() {
  const { searchParams, pathname } = new URL(location.href);
  return searchParams.has("present") ? decodeURIComponent(pathname.split("/tree/")[1] ?? "") : null;
}

function loadStyle() {
  const link = Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    href: new URL("deck.css", import.meta.url),
  });
  document.head.append(link);
}
