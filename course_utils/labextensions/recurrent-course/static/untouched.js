// JupyterLab writes into a notebook which kernel it found for it. Nobody wants to be asked whether
// that should be saved: a lecture that was only opened is as it was.
export async function stayUntouched({ context }) {
  await context.ready;
  const { model } = context;
  const opened = written(model);
  const look = () => {
    if (context.isDisposed || !model.dirty) return;
    if (written(model) === opened) model.dirty = false;
    else model.stateChanged.disconnect(changed);
  };
  const changed = (_, { name }) => name === "dirty" && queueMicrotask(look);
  model.stateChanged.connect(changed);
  look();
}

// All that somebody wrote or ran, and the name of the kernel that was chosen.
function written(model) {
  const { cells, metadata } = model.toJSON();
  const { kernelspec, language_info, ...others } = metadata;
  return JSON.stringify([cells, others, kernelspec?.name], (key, value) =>
    key === "trusted" ? undefined : value,
  );
}
