// What `course present 03` begins by itself. Its address brings a word, which the server that the
// command started takes once (course_utils/presenting.py). No address alone can run a lecture.

// Take the word out of the page's address; return a function that asks whether a lecture may start,
// and which version of it; null where it may not.
/** @param {typeof import("@jupyterlab/services").ServerConnection} ServerConnection */
export function takeInvitation(ServerConnection) {
  const address = new URL(location.href);
  const word = address.searchParams.get("present");
  if (address.searchParams.has("present")) {
    address.searchParams.delete("present");
    history.replaceState(history.state, "", address);
  }
  return async (/** @type {string} */ lecture) => (word ? ask(ServerConnection, { word, lecture }) : null);
}

/**
 * @param {typeof import("@jupyterlab/services").ServerConnection} ServerConnection
 * @param {{ word: string, lecture: string }} question
 * @returns {Promise<{ short: boolean } | null>}
 */
async function ask(ServerConnection, question) {
  const settings = ServerConnection.makeSettings();
  const answer = await ServerConnection.makeRequest(
    `${settings.baseUrl}course/present`,
    { method: "POST", body: JSON.stringify(question) },
    settings,
  );
  const { present = false, short = false } = answer.ok ? await answer.json() : {};
  return present ? { short } : null;
}
