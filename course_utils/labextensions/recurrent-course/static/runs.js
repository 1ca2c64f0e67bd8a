// What this kernel has run of a notebook, what it still owes, and whether it was restarted.
import { recall, remember } from "./memory.js";

/** @import { Cell, CodeCell } from "@jupyterlab/cells" */
/** @import { Notebook, NotebookActions, NotebookPanel } from "@jupyterlab/notebook" */
/** @import { Kernel, KernelMessage, Session } from "@jupyterlab/services" */

export class Runs {
  /** @param {NotebookPanel} panel @param {typeof NotebookActions} actions */
  constructor(panel, actions) {
    this.panel = panel;
    this.actions = actions;
    /** @type {Set<string>} */
    this.fresh = new Set(); // cell ids
    /** @type {Set<string>} */
    this.asked = new Set(); // ids of cells that the show, and nobody else, has asked to run
    this.restarted = false;
    /** @type {Cell | null} */
    this.failed = null;
    /** @type {string | null} */
    this.process = null; // the name that the kernel's process gives its messages
    this.changed = () => {};
    actions.executionScheduled.connect(this.onScheduled, this);
    actions.executed.connect(this.onExecuted, this);
    panel.sessionContext.statusChanged.connect(this.onStatus, this);
    panel.sessionContext.kernelChanged.connect(this.onKernel, this);
    panel.sessionContext.iopubMessage.connect(this.onMessage, this);
    panel.disposed.connect(() => {
      actions.executionScheduled.disconnect(this.onScheduled, this);
      actions.executed.disconnect(this.onExecuted, this);
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
    const filled = this.panel.content.widgets.filter(
      ({ model }) => model.type === "code" && model.sharedModel.getSource().trim(),
    );
    return /** @type {CodeCell[]} */ (filled);
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

  /** @param {readonly Cell[]} cells */
  async run(cells) {
    this.failed = null;
    this.restarted = false;
    const { content, sessionContext } = this.panel;
    const ids = cells.map(({ model }) => model.id);
    for (const id of ids) this.asked.add(id);
    try {
      return await this.actions.runCells(content, cells, sessionContext);
    } finally {
      for (const id of ids) this.asked.delete(id);
    }
  }

  /** @param {unknown} _ @param {{ notebook: Notebook }} scheduled */
  onScheduled(_, { notebook }) {
    if (notebook === this.panel.content) this.changed();
  }

  /** @param {unknown} _ @param {{ notebook: Notebook, cell: Cell, success: boolean }} executed */
  onExecuted(_, { notebook, cell, success }) {
    if (notebook !== this.panel.content) return;
    if (success) this.fresh.add(cell.model.id);
    else this.failed ??= cell;
    this.keep();
  }

  /** @param {unknown} _ @param {Kernel.Status} status */
  onStatus(_, status) {
    if (["restarting", "autorestarting", "dead"].includes(status)) this.forget();
    this.changed();
  }

  /** @param {unknown} _ @param {Session.ISessionConnection.IKernelChangedArgs} change */
  onKernel(_, { oldValue, newValue }) {
    if (oldValue && newValue?.id !== oldValue.id) this.forget();
  }

  // Who restarts the kernel from another page tells this one nothing: its next answer does.
  /** @param {unknown} _ @param {KernelMessage.IMessage} message */
  onMessage(_, { header, parent_header: asked }) {
    const { msg_id } = /** @type {Partial<KernelMessage.IHeader>} */ (asked ?? {});
    if (!msg_id) return; // the server's own words
    if (this.process && header.session !== this.process) this.forget();
    this.process = header.session;
  }

  forget() {
    if (this.fresh.size || this.pending.length) this.restarted = true;
    this.process = null;
    this.fresh.clear();
    this.keep();
  }

  keep() {
    remember(this.panel.context.path, { kernel: this.kernelId, ran: [...this.fresh] });
    this.changed();
  }
}
