// Where the show is, for one notebook in one browser tab: it outlives a reload, never the tab, and
// no other notebook can find it.

const NAME = "recurrent-course:";

export function remember(path, what) {
  sessionStorage.setItem(NAME + path, JSON.stringify({ ...recall(path), ...what }));
}

export function recall(path) {
  return JSON.parse(sessionStorage.getItem(NAME + path) ?? "{}");
}
