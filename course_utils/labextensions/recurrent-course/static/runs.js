// What this kernel has run of a notebook, what it still owes, and whether it was restarted.
import { recall, remember } from "./memory.js";

export class Runs {
  constructor(panel, NotebookActions) {
    this.panel = panel;
    this.actions = NotebookActions;
    this.fresh = new Set(); // cell ids
    this.restarted = false;
    this.failed = null;
    this.changed = () => {};
    NotebookActions.executionScheduled.connect(this.onScheduled, this);
    NotebookActions.executed.connect(this.onExecuted, this);
    panel.sessionContext.statusChanged.connect(this.onStatus, this);
    panel.sessionContext.kernelChanged.connect(this.onKernel, this);
    panel.disposed.connect(() => {
      NotebookActions.executionScheduled.disconnect(this.onScheduled, this);
      NotebookActions.executed.disconnect(this.onExecuted, this);
    });
  }

  // After a reload of the page: the same kernel still has what it ran.
  async ready() {
    await this.panel.context.ready;
    await this.panel.sessionContext.ready;
    const { kernel, ran } = recall(this.panel.context.path);
    if (kernel && kernel === this.kernelId) for (const id of ran) this.fresh.add(id);
  }

  get kernelId() {
    return this.panel.sessionContext.session?.kernel?.id;
  }

  get codeCells() {
    return this.panel.content.widgets.filter(
      ({ model }) => model.type === "code" && model.sharedModel.getSource().trim(),
    );
  }

  get pending() {
    return this.codeCells.filter(({ model }) => model.executionState === "running");
  }

  // Code cells that this kernel has neither run nor been asked to run, up to one of the cells.
  stale(last = Infinity) {
    const { widgets } = this.panel.content;
    return this.codeCells.filter(
      (cell) =>
        widgets.indexOf(cell) <= last &&
        cell.model.executionState !== "running" &&
        !(this.fresh.has(cell.model.id) && cell.model.executionCount),
    );
  }

  // Run everything from the first cell that this kernel does not have.
  catchUp() {
    const [first] = this.stale();
    if (!first) return Promise.resolve(true);
    const { widgets } = this.panel.content;
    return this.run(widgets.slice(widgets.indexOf(first)));
  }

  run(cells) {
    this.failed = null;
    this.restarted = false;
    const { content, sessionContext } = this.panel;
    return this.actions.runCells(content, cells, sessionContext);
  }

  onScheduled(_, { notebook }) {
    if (notebook === this.panel.content) this.changed();
  }

  onExecuted(_, { notebook, cell, success }) {
    if (notebook !== this.panel.content) return;
    if (success) this.fresh.add(cell.model.id);
    else this.failed ??= cell;
    this.keep();
  }

  onStatus(_, status) {
    if (["restarting", "autorestarting", "dead"].includes(status)) this.forget();
    this.changed();
  }

  onKernel(_, { oldValue, newValue }) {
    if (oldValue && newValue?.id !== oldValue.id) this.forget();
  }

  forget() {
    if (this.fresh.size || this.pending.length) this.restarted = true;
    this.fresh.clear();
    this.keep();
  }

  keep() {
    remember(this.panel.context.path, { kernel: this.kernelId, ran: [...this.fresh] });
    this.changed();
  }
}
