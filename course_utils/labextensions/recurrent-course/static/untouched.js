// A lecture that was only opened or shown stays the file that it was: JupyterLab, which writes into a
// notebook what it finds out and what cells print, does not take it for changed, and asks nobody to
// save it. Whoever writes during a show and saves keeps what was written, and nothing of what the show
// made the cells print. What somebody runs after the show is theirs again.

/** @import { Cell } from "@jupyterlab/cells" */
/** @import { ICodeCell, INotebookContent } from "@jupyterlab/nbformat" */
/** @import { Notebook, NotebookActions, NotebookPanel } from "@jupyterlab/notebook" */
/** @import { ISharedCell, ISharedMarkdownCell } from "@jupyter/ydoc" */
/** @import { Runs } from "./runs.js" */

export class Untouched {
  /**
   * @param {NotebookPanel} panel
   * @param {typeof NotebookActions} actions
   * @param {Runs} runs
   */
  constructor(panel, actions, runs) {
    this.panel = panel;
    this.runs = runs;
    this.context = panel.context;
    /** @type {Map<string, ReturnType<typeof printed>>} */
    this.kept = new Map(); // by the ids of cells that a show runs: what the file says they printed
    this.actions = actions;
    this.watch();
  }

  async watch() {
    const { context, actions } = this;
    await context.ready;
    const { model } = context;
    this.remember();
    const write = model.toJSON.bind(model);
    model.toJSON = () => this.asInFile(/** @type {INotebookContent} */ (write()));
    model.stateChanged.connect(this.onState, this);
    context.saveState.connect(this.onSave, this);
    actions.executionScheduled.connect(this.onTheirs, this);
    actions.outputCleared.connect(this.onTheirs, this);
    this.panel.disposed.connect(() => {
      actions.executionScheduled.disconnect(this.onTheirs, this);
      actions.outputCleared.disconnect(this.onTheirs, this);
    });
    this.look();
  }

  showBegins() {
    this.showing = true;
    for (const { sharedModel: cell } of this.context.model.cells)
      if (cell.cell_type === "code" && !this.kept.has(cell.id)) this.kept.set(cell.id, printed(cell));
  }

  showEnds() {
    this.showing = false;
  }

  // Somebody runs a cell, or clears it, outside of any show.
  /** @param {unknown} _ @param {{ notebook: Notebook, cell: Cell }} theirs */
  onTheirs(_, { notebook, cell }) {
    if (notebook !== this.panel.content || this.showing || this.runs.asked.has(cell.model.id)) return;
    this.kept.delete(cell.model.id);
  }

  /** @param {unknown} _ @param {{ name: string }} change */
  onState(_, { name }) {
    if (name !== "dirty") return;
    if (this.context.model.dirty) queueMicrotask(() => this.look());
    else if (!this.saving && !this.clean) this.reverted();
  }

  /** @param {unknown} _ @param {string} state */
  onSave(_, state) {
    if (state === "started") this.saving = this.written();
    if (state === "completed" && this.saving) {
      this.saved = this.saving;
      if (!this.kept.size) this.metadata = this.context.model.metadata;
    }
    if (state !== "started") this.saving = null;
  }

  // The file was read again.
  reverted() {
    this.kept.clear();
    if (this.showing) this.showBegins();
    this.remember();
  }

  look() {
    const { context } = this;
    if (context.isDisposed || !context.model.dirty || this.written() !== this.saved) return;
    this.clean = true;
    context.model.dirty = false;
    this.clean = false;
  }

  remember() {
    const { metadata } = this.context.model;
    this.metadata = metadata;
    this.saved = this.written();
  }

  // All that somebody wrote or ran, and the name of the kernel that was chosen.
  written() {
    const { cells, metadata } = this.context.model;
    const { kernelspec, language_info, widgets, ...others } = metadata;
    const parts = [JSON.stringify([others, kernelspec?.name])];
    for (const { sharedModel: cell } of cells) {
      const { trusted, execution, ...said } = cell.getMetadata();
      parts.push(JSON.stringify([cell.id, cell.cell_type, cell.getSource(), said]));
      if (cell.cell_type === "code") parts.push((this.kept.get(cell.id) ?? printed(cell)).text);
      else parts.push(JSON.stringify(/** @type {Partial<ISharedMarkdownCell>} */ (cell).getAttachments?.()));
    }
    return parts.join();
  }

  // The notebook as it should be saved.
  /** @param {INotebookContent} notebook @returns {INotebookContent} */
  asInFile(notebook) {
    if (!this.kept.size) return notebook;
    const cells = notebook.cells.map((cell) => {
      const { outputs, execution_count, execution } = this.kept.get(String(cell.id)) ?? {};
      if (!outputs) return cell;
      const { execution: now, ...metadata } = cell.metadata;
      if (execution) metadata.execution = execution;
      return { ...cell, outputs, execution_count, metadata };
    });
    const { kernelspec, language_info, widgets } = this.metadata;
    const isSame = kernelspec?.name === notebook.metadata.kernelspec?.name;
    const { widgets: now, ...metadata } = notebook.metadata;
    if (isSame) Object.assign(metadata, { kernelspec, language_info });
    if (widgets) metadata.widgets = widgets;
    return { ...notebook, cells, metadata };
  }
}

/** @param {ISharedCell} cell of code */
function printed(cell) {
  const { outputs, execution_count, metadata } = /** @type {ICodeCell} */ (cell.toJSON());
  return { outputs, execution_count, execution: metadata.execution, text: JSON.stringify([outputs, execution_count]) };
}
