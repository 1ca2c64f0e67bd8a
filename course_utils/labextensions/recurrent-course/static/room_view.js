// The room in the presenter's window: what is answered while the wall shows only how many, and what
// people ask, of which nothing reaches the wall unread.
import { element } from "./chrome.js";
import { picture } from "./vote_picture.js";

/** @import { State } from "./room.js" */
/** @import { Vote } from "./vote.js" */

/** @param {State} state @param {Vote} voting */
export function roomView(state, voting) {
  const { people, answers, open, asked, round, questions, code } = state;
  const many = open ? `${answers} of ${people} have answered` : `${people} in room ${code}`;
  const row = element("p", "course-presenter-vote", `${many} `);
  if (open) row.append(button("Close and show", () => voting.finish()));
  else row.append(button(voting.hasAsked ? "Ask again" : "Ask the room", () => voting.start()), button("How to join", () => voting.join()));
  const words = (open ? round : voting.ofRoom[asked?.name]?.rounds.at(-1))?.words ?? [];
  const live = open && !round.words ? [picture(asked, [round], null)] : [];
  const said = words.map((text) => line(text, [button("On the wall", () => voting.showQuestion(text))]));
  const asks = questions.map(({ id, text }) =>
    line(text, [
      button("On the wall", () => voting.showQuestion(text)),
      button("Remove", () => voting.room.tell({ do: "drop", id })),
    ]),
  );
  return [row, ...live, ...said, ...(asks.length ? [element("h3", "", "Questions"), ...asks] : [])];
}

/** @param {string} text @param {Node[]} buttons */
function line(text, buttons) {
  const said = element("p", "course-presenter-said", `${text} `);
  said.append(...buttons);
  return said;
}

/** @param {string} text @param {() => void} does */
function button(text, does) {
  const made = element("button", "", text, { type: "button" });
  made.addEventListener("click", does);
  return made;
}
