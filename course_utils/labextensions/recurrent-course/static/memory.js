// Where the show is, for one notebook in one browser tab: it outlives a reload, never the tab, and
// no other notebook can find it.

/**
 * @typedef {object} Place
 * @property {number} slide
 * @property {number} step
 * @property {number} zoom
 * @property {number} started milliseconds, as Date.now() counts them
 * @property {boolean} short without exercises and what is optional
 */
/** @import { Asked, Round } from "./votes.js" */
/** @typedef {Record<string, { asked: Asked, rounds: Round[] }>} Votes by the names of predictions */
/** @typedef {Place & { presenting: boolean, presenter: boolean, kernel: string, ran: string[], votes: Votes }} Memory */

const NAME = "recurrent-course:";

/** @param {string} path @param {Partial<Memory>} what */
export function remember(path, what) {
  sessionStorage.setItem(NAME + path, JSON.stringify({ ...recall(path), ...what }));
}

/** @param {string} path @returns {Partial<Memory>} */
export function recall(path) {
  return JSON.parse(sessionStorage.getItem(NAME + path) ?? "{}");
}
