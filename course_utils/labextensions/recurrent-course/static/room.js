// The room that `course room` opens, as this page hears of it through its own server
// (course_utils/room_door.py): how many are there, what they ask, what they answer.

/** @import { Asked, Round } from "./votes.js" */
/**
 * @typedef {object} State
 * @property {string} seen changes with everything else
 * @property {Asked | null} asked
 * @property {boolean} open
 * @property {number} people
 * @property {number} answers
 * @property {Round} round
 * @property {{ id: number, text: string }[]} questions
 * @property {string} code these from here on are told once
 * @property {string} address
 * @property {string[]} qr
 * @property {Record<string, [Asked, Round[]]>} rounds
 */
/** @typedef {{ do: "open" | "close" | "drop", asked?: Asked, id?: number }} Wish */

const TRIES = 10;
const PAUSE = 1000; // milliseconds

export class Room {
  /**
   * @param {typeof import("@jupyterlab/services").ServerConnection} ServerConnection
   * @param {(state: State | null) => void} changed
   */
  constructor(ServerConnection, changed) {
    this.connection = ServerConnection;
    this.settings = ServerConnection.makeSettings();
    this.changed = changed;
    this.over = new AbortController();
    /** @type {State | null} */
    this.state = null;
    this.isLooking = false;
    this.isAway = false; // it should be there, and does not answer
  }

  // Look whether there is a room; if so, hear of it until it ends or the show does.
  async look() {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      let said = await this.ask("");
      while (said && !this.over.signal.aborted) {
        this.state = { ...this.state, ...said };
        this.changed(this.state);
        said = await this.next(said.seen);
      }
    } finally {
      this.isLooking = false;
      if (this.state) {
        this.state = null;
        if (!this.over.signal.aborted) this.changed(null);
      }
    }
  }

  // What the room says next. One that has not closed but does not answer is waited for: a network
  // may be away for a moment.
  /** @param {string} seen */
  async next(seen) {
    for (let tries = 0; ; tries++) {
      const said = await this.ask(tries ? "" : `?seen=${seen}`);
      if (said || !this.isAway || tries === TRIES || this.over.signal.aborted) return said;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }

  // Say what the presenter wants; null: the room does not answer.
  /** @param {Wish} wish @returns {Promise<{ round?: Round | null } | null>} */
  tell(wish) {
    return this.ask("", { method: "POST", body: JSON.stringify(wish) });
  }

  /** @param {string} query @param {RequestInit} [init] */
  async ask(query, init = {}) {
    const { connection, settings, over } = this;
    const address = `${settings.baseUrl}course/room${query}`;
    try {
      const answer = await connection.makeRequest(address, { ...init, signal: over.signal }, settings);
      const { room, away } = answer.ok ? await answer.json() : { room: null, away: false };
      this.isAway = away;
      return room;
    } catch {
      return null; // the server is away, or the show is over
    }
  }

  stop() {
    this.over.abort();
  }
}
