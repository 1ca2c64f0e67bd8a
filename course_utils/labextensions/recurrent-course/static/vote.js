// A vote on the slide's prediction. Where `course room` runs, phones answer, and the wall shows only
// how many until it closes; elsewhere the presenter counts hands and types what they say, without any
// network. When the result comes, the room's answers stand beside it.
import { element } from "./chrome.js";
import { recall, remember } from "./memory.js";
import { Room } from "./room.js";
import { letter, openVote, picture } from "./vote_picture.js";
import { answers, readHands } from "./votes.js";

/** @import { CodeCell } from "@jupyterlab/cells" */
/** @import { Deck } from "./deck.js" */
/** @import { State } from "./room.js" */
/** @import { Asked, CameOut, Round } from "./votes.js" */

const ASKED = "application/vnd.course.prediction+json";
const CAME_OUT = "application/vnd.course.result+json";

export class Vote {
  /** @param {Deck} deck */
  constructor(deck) {
    this.deck = deck;
    this.panel = element("section", "course-vote", "", { "aria-label": "The room's prediction" });
    this.panel.hidden = true;
    this.panel.addEventListener("keydown", (event) => this.onKey(event));
    deck.chrome.node.append(this.panel);
    /** @type {"hands" | "open" | "shown" | "said" | "joining" | null} */
    this.phase = null;
    /** @type {Asked} */
    this.asked = null;
    /** @type {Round[]} */
    this.rounds = [];
    /** @type {CameOut | null} */
    this.result = null;
    this.typed = false;
    /** @type {import("./memory.js").Votes} */
    this.ofRoom = {}; // the room keeps them, not this browser
    this.room = new Room(deck.tools.ServerConnection, (state) => this.heard(state));
    this.room.look();
  }

  get kept() {
    return { ...recall(this.deck.path).votes, ...this.ofRoom };
  }

  keepHands() {
    const { asked, rounds } = this;
    const { votes } = recall(this.deck.path);
    remember(this.deck.path, { votes: { ...votes, [asked.name]: { asked, rounds } } });
    delete this.ofRoom[asked.name];
  }

  // The room has said something new, or it is gone.
  /** @param {State | null} state */
  heard(state) {
    for (const [name, [asked, rounds]] of Object.entries(state?.rounds ?? {}))
      this.ofRoom[name] = { asked, rounds };
    if (state) delete state.rounds; // told once
    if (this.phase === "hands" && state && !answers(this.rounds.at(-1)) && !this.typed) this.askRoom(this.asked);
    else if (this.phase === "open" && state) this.drawOpen();
    else if (this.phase === "joining" && state) this.drawJoining();
    else if (this.phase === "open") this.hide("The room does not answer any more: v counts hands.");
    this.deck.presenter.update();
  }

  // What the cells of the slide have shown of one kind, the last one first.
  /** @param {string} mime @param {(step: number) => boolean} wanted */
  said(mime, wanted) {
    const { slides, slide, notebook } = this.deck;
    const found = [];
    for (const { index, step } of slides[slide].cells) {
      const { outputs } = /** @type {Partial<CodeCell["model"]>} */ (notebook.widgets[index].model);
      if (!outputs || !wanted(step)) continue;
      for (let at = 0; at < outputs.length; at++) {
        const said = outputs.get(at).data[mime];
        if (said) found.unshift(/** @type {unknown} */ (said));
      }
    }
    return found;
  }

  // Whether the room has answered once what the slide asks.
  get hasAsked() {
    const [here] = /** @type {Asked[]} */ (this.said(ASKED, () => true));
    return Boolean(here && this.kept[here.name]);
  }

  // The key: ask the room, or show beside the result what it said.
  start() {
    if (this.phase === "hands" || this.phase === "open") return;
    this.room.look();
    const { step } = this.deck;
    const results = /** @type {CameOut[]} */ (this.said(CAME_OUT, (at) => at <= step));
    const [asked] = /** @type {Asked[]} */ (this.said(ASKED, () => true));
    if (results.some((result) => this.showBeside(result))) return;
    if (!asked) this.deck.chrome.say("This slide asks for no prediction.");
    else if (this.room.state) this.askRoom(asked);
    else this.ask(asked);
  }

  /** @param {Asked} asked */
  async askRoom(asked) {
    this.asked = asked;
    this.phase = "open";
    this.drawOpen();
    if (this.isAsked) return; // before this page was loaded anew: no answer is lost
    if (await this.room.tell({ do: "open", asked })) return;
    this.hide();
    this.ask(asked); // by hands
  }

  get isAsked() {
    const { state } = this.room;
    return state.open && state.asked.name === this.asked.name;
  }

  drawOpen() {
    const { state } = this.room;
    this.open(openVote(this.asked, this.isAsked ? state : { ...state, answers: 0 }));
  }

  // How to join, before anything is asked.
  join() {
    if (!this.room.state) return this.deck.chrome.say("No room is open: course room opens one.");
    if (this.phase === "open" || this.phase === "hands") return;
    this.phase = "joining";
    this.drawJoining();
  }

  drawJoining() {
    this.panel.replaceChildren(openVote(null, this.room.state));
    this.panel.hidden = false;
  }

  // What somebody in the room has asked, once the presenter has read it.
  /** @param {string} text */
  showQuestion(text) {
    this.say(element("p", "course-vote-said", text));
  }

  /** @param {Node} node */
  say(node) {
    if (this.phase === "open" || this.phase === "hands") return;
    this.phase = "said";
    this.panel.replaceChildren(node);
    this.panel.hidden = false;
  }

  // The presenter's button: ends also a vote that was opened before this page was loaded anew.
  finish() {
    if (this.phase !== "open") this.asked = this.room.state.asked;
    this.closeRoom();
  }

  // End the room's vote; show what it says, unless the show has moved on.
  async closeRoom(isShown = true) {
    const { asked, room } = this;
    const live = room.state?.round;
    this.phase = null;
    const told = await room.tell({ do: "close" });
    if (room.state) room.state.open = false; // sooner than it says so itself: v asks again
    const round = told ? told.round : live;
    if (!round || !answers(round)) return isShown && this.hide("Nobody has answered.");
    const rounds = [...(this.kept[asked.name]?.rounds ?? []).slice(0, 1), round];
    this.ofRoom[asked.name] = { asked, rounds };
    if (!isShown || this.phase) return;
    this.asked = asked;
    this.rounds = rounds;
    this.show();
  }

  /** @param {Asked} asked */
  ask(asked) {
    if (asked.kind === "words")
      return this.deck.chrome.say("This prediction is answered in words: only a room can write them.");
    const { rounds = [] } = this.kept[asked.name] ?? {};
    this.asked = asked;
    this.rounds = [...rounds.slice(0, 1), asked.kind === "choice" ? { counts: asked.options.map(() => 0) } : { numbers: [] }];
    this.typeHands();
  }

  typeHands() {
    const { asked } = this;
    const round = this.rounds.at(-1);
    this.phase = "hands";
    this.typed = false;
    this.drawn = element("div", "course-vote-drawn");
    const fields = element("div", "course-vote-fields");
    if (round.counts)
      fields.append(...asked.options.map((option, at) => this.countField(option, at, round)));
    else fields.append(this.numbersField(round));
    fields.addEventListener("input", () => (this.typed = true));
    this.open(fields, this.drawn);
    this.draw();
    this.panel.querySelector("input").focus();
  }

  /** @param {string} option @param {number} at @param {Round} round */
  countField(option, at, round) {
    const label = element("label", "", `${letter(at)} `);
    const input = element("input", "", "", { inputmode: "numeric", maxlength: 4, size: 3, "aria-label": `hands for ${letter(at)}: ${option}` });
    input.value = round.counts[at] ? String(round.counts[at]) : "";
    input.addEventListener("input", () => {
      round.counts[at] = Number(/^\d{1,4}$/.exec(input.value.trim()) ?? 0);
      this.draw();
    });
    label.append(input);
    return label;
  }

  /** @param {Round} round */
  numbersField(round) {
    const { unit } = this.asked;
    const label = element("label", "course-vote-numbers", unit ? `Numbers said, in ${unit} ` : "Numbers said ");
    const input = element("input", "", "", { placeholder: "0.5 x12  1e-3 x4  1/1000", maxlength: 2000 });
    const unread = element("span", "course-vote-unread", "", { role: "status" });
    input.value = round.typed ?? "";
    input.addEventListener("input", () => {
      const read = readHands(input.value);
      round.typed = input.value;
      round.numbers = read.numbers;
      unread.textContent = read.unread.length ? `not a number: ${read.unread.join(" ")}` : "";
      this.draw();
    });
    label.append(input, unread);
    return label;
  }

  draw() {
    this.drawn.replaceChildren(picture(this.asked, this.rounds, null));
  }

  // A result that has come: show the room's answers beside it, where there are some.
  /** @param {CameOut} result */
  showBeside(result) {
    const { asked, rounds } = this.kept[result.name] ?? {};
    if (!asked) return false;
    this.asked = asked;
    this.rounds = rounds;
    this.show(result);
    return true;
  }

  // After a step forward.
  cameOut() {
    const { step } = this.deck;
    const results = /** @type {CameOut[]} */ (this.said(CAME_OUT, (at) => at === step));
    results.some((result) => this.showBeside(result));
  }

  /** @param {CameOut | null} result */
  show(result = null) {
    this.phase = "shown";
    this.result = result;
    this.open(picture(this.asked, this.rounds, result));
  }

  /** @param {Node[]} parts */
  open(...parts) {
    const { name, question } = this.asked;
    const head = element("p", "course-vote-question", question);
    head.prepend(element("b", "", `Prediction ${name} `));
    this.panel.replaceChildren(head, ...parts);
    this.panel.hidden = false;
  }

  // What covers the slide ends: what was typed is shown, what was shown goes. Says whether it did.
  lift() {
    if (this.phase === "hands" && answers(this.rounds.at(-1))) {
      this.keepHands();
      this.deck.takeKeys();
      this.show();
      return true;
    }
    if (this.phase !== "open") return this.hide();
    this.closeRoom();
    return true;
  }

  // One step back from the picture leads to what was typed.
  back() {
    if (this.phase !== "shown" || this.result || this.ofRoom[this.asked.name]) return this.lift();
    this.typeHands();
    return true;
  }

  hide(says = "") {
    if (says) this.deck.chrome.say(says);
    if (this.panel.hidden) return false;
    if (this.phase === "open" && this.room.state) this.closeRoom(false);
    this.phase = null;
    this.panel.hidden = true;
    this.panel.replaceChildren();
    this.deck.takeKeys();
    return true;
  }

  stop() {
    this.hide();
    this.room.stop();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key !== "Enter") return;
    const fields = [...this.panel.querySelectorAll("input")];
    const next = fields[fields.indexOf(/** @type {HTMLInputElement} */ (event.target)) + 1];
    if (next) next.focus();
    else this.lift();
  }
}
