// What JupyterLab loads first: a module federation container, written by hand, so that the other
// files are plain modules that the browser reads as they are. No bundler, no build, no node.
{
  const home = new URL(".", document.currentScript.src);
  let shared;

  // JupyterLab offers one version of each of its packages.
  const load = async (name) => (await Object.values(shared[name])[0].get())();

  const extension = async () => {
    const [notebook, outputarea, ui] = await Promise.all(
      ["notebook", "outputarea", "ui-components"].map((name) => load(`@jupyterlab/${name}`)),
    );
    const { makePlugin } = await import(new URL("plugin.js", home));
    const plugin = makePlugin({ notebook, outputarea, ui });
    return () => ({ __esModule: true, default: plugin });
  };

  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["recurrent-course"] = {
    init: (scope) => (shared = scope),
    get: extension,
  };
}
