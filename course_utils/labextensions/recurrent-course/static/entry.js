// What JupyterLab loads first: a module federation container, written by hand, so that the other
// files are plain modules that the browser reads as they are. No bundler, no build, no node.
{
  const home = new URL(".", /** @type {HTMLScriptElement} */ (document.currentScript).src);
  /** @type {Record<string, Record<string, { get(): Promise<() => unknown> }>>} */
  let shared; // by name and version

  // JupyterLab offers one version of each of its packages.
  const load = async (/** @type {string} */ name) => (await Object.values(shared[name])[0].get())();

  const extension = async () => {
    const [docmanager, notebook, outputarea, services, ui] = await Promise.all(
      ["docmanager", "notebook", "outputarea", "services", "ui-components"].map((name) =>
        load(`@jupyterlab/${name}`),
      ),
    );
    const { makePlugin } = await import(new URL("plugin.js", home).href);
    const plugin = makePlugin({ docmanager, notebook, outputarea, services, ui });
    return () => ({ __esModule: true, default: plugin });
  };

  const page = /** @type {{ _JUPYTERLAB?: Record<string, object> }} */ (window);
  page._JUPYTERLAB ??= {};
  page._JUPYTERLAB["recurrent-course"] = {
    init: (/** @type {typeof shared} */ scope) => {
      shared = scope;
    },
    get: extension,
  };
}
