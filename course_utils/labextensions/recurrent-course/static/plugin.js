// The course's part of JupyterLab: a button, a command, and one deck at a time.
import { Deck, placeToResume } from "./deck.js";
import { takeInvitation } from "./invitation.js";
import { recall } from "./memory.js";
import { Runs } from "./runs.js";
import { Untouched } from "./untouched.js";

/** @import { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application" */
/** @import { IDocumentManager } from "@jupyterlab/docmanager" */
/** @import { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook" */
/** @import { ToolbarButton } from "@jupyterlab/ui-components" */
/** @import { Place } from "./memory.js" */
/** @typedef {ConstructorParameters<typeof ToolbarButton>[0]} ButtonProps */
/**
 * @typedef {object} Packages what JupyterLab shares with its extensions
 * @property {typeof import("@jupyterlab/docmanager")} docmanager
 * @property {typeof import("@jupyterlab/notebook")} notebook
 * @property {typeof import("@jupyterlab/outputarea")} outputarea
 * @property {typeof import("@jupyterlab/services")} services
 * @property {typeof import("@jupyterlab/ui-components")} ui
 */

const COMMAND = "course:present";

/** @param {Packages} packages @returns {JupyterFrontEndPlugin<void>} */
export function makePlugin({ docmanager, notebook: nb, outputarea, services, ui }) {
  const { INotebookTracker, NotebookActions } = nb;
  return {
    id: "recurrent-course:deck",
    description: "Shows a lecture as slides, with a window for the presenter.",
    autoStart: true,
    requires: [INotebookTracker, docmanager.IDocumentManager],
    /**
     * @param {JupyterFrontEnd} app
     * @param {INotebookTracker} tracker
     * @param {IDocumentManager} documents
     */
    activate(app, tracker, documents) {
      loadStyle();
      /** @type {WeakMap<NotebookPanel, Runs>} */
      const runs = new WeakMap();
      /** @type {WeakMap<NotebookPanel, Untouched>} */
      const untouched = new WeakMap();
      const { ServerConnection } = services;
      const tools = { outputarea, ServerConnection, documents, save: () => app.commands.execute("docmanager:save") };
      const isInvited = takeInvitation(ServerConnection);
      /** @type {Deck | null} */
      let deck = null;

      const leave = () => {
        deck?.close();
        deck = null;
      };

      /** @type {(panel: NotebookPanel, place?: Partial<Place>) => void} */
      const start = (panel, place) => {
        leave();
        app.shell.activateById(panel.id);
        deck = new Deck(panel, runs.get(panel), untouched.get(panel), tools, leave);
        deck.open(place);
      };

      /** @type {(panel: NotebookPanel, version?: { short: boolean }) => Promise<void>} */
      const present = async (panel, version) => {
        await panel.context.ready;
        const { slide, started, short } = recall(panel.context.path);
        start(panel, { started, short, ...version });
        deck.offer(slide);
        await panel.sessionContext.ready;
        runs.get(panel).catchUp();
      };

      /** @type {(panel: NotebookPanel, place: Partial<Place>) => Promise<void>} */
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
        untouched.set(panel, new Untouched(panel, NotebookActions, runs.get(panel)));
        /** @type {Partial<ButtonProps>} */
        const look = {
          label: "Present",
          tooltip: "Run the lecture and show it as slides, from the first one",
          className: "course-present-button",
          onClick: () => present(panel),
        };
        addButton(panel, new ui.ToolbarButton(/** @type {ButtonProps} */ (look)));
        panel.disposed.connect(() => deck?.panel === panel && leave());
        await panel.context.ready;
        const { path } = panel.context;
        const place = placeToResume(path);
        const version = place ? null : await isInvited(path);
        if (place) resume(panel, place);
        else if (version) present(panel, version);
        else runs.get(panel).ready();
      });

      // Whoever opens another notebook wants to see it.
      app.shell.currentChanged?.connect((_, { newValue }) => {
        if (deck && newValue && newValue !== deck.panel) leave();
      });
    },
  };
}

/** @param {NotebookPanel} panel @param {ToolbarButton} button */
function addButton(panel, button) {
  panel.toolbar.insertBefore("spacer", "course-present", button) ||
    panel.toolbar.addItem("course-present", button);
}

function loadStyle() {
  const link = Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    href: new URL("deck.css", import.meta.url).href,
  });
  document.head.append(link);
}
