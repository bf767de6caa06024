// What a manager can do next, as the API says it, with a button for each.

import { button, h } from "../core/dom.js";
import { textOf, word } from "../languages/language.js";
import { textAmong } from "../lobby/names.js";
import { confirmation, refusal } from "../manager/form.js";

/** Its part of a page's store: the action that is to be confirmed. */
export const STEPS = { doubtful: "" };

const REMOVE = "remove"; // all of it, while no round is drawn
const CONFIRMED = new Set(["draw-again", "draw-despite-missing", "close"]); // what one slip of a thumb must not do

// A draw names its round, so that the hub refuses a second one.
const REQUESTS = {
  draw: (n) => ["draw", { round: n + 1 }],
  "draw-again": (n) => ["draw", { round: n, again: true }],
  "draw-despite-missing": (n) => ["draw", { round: n + 1, despite_missing: true }],
  close: () => ["close", {}],
  reopen: () => ["reopen", {}],
};

/**
 * The card. `send(where, path, body)` sends what is tapped; `remove(where)` takes the tournament away; `take(round,
 * table)` begins with the result of a game that has ended at a table.
 */
export function nextSteps(value, store, { send, remove, take }) {
  const { tournament, doubtful, busy } = value;
  const act = async (action) => {
    store.change({ doubtful: "" });
    if (action === REMOVE) await remove("steps");
    else await send("steps", ...REQUESTS[action](tournament.rounds.length));
  };
  const first = tournament.next.find(({ action }) => action in REQUESTS);
  const step = ({ action, ...said }, n) =>
    h(
      "li",
      { key: `${action} ${n}`, class: "nextstep" },
      h("p", {}, textOf(said)),
      action in REQUESTS && (doubtful === action ? sure(action) : button(first.action === action && !CONFIRMED.has(action) ? "go" : "plain", () => (CONFIRMED.has(action) ? store.change({ doubtful: action }) : act(action)), { key: action, "data-step": action, disabled: busy }, word.tournaments.actions[action])),
    );
  const now = tournament.rounds[tournament.rounds.length - 1];
  const ended = now && !tournament.closed ? now.tables.filter((table) => table.ended) : [];
  const offer = (table) =>
    h("li", { key: `game ${table.number}`, class: "nextstep" }, h("p", {}, h("bdi", {}, textAmong(table.ended.players, table.ended))), button("go", () => take(now, table), { "data-step": `game-${table.number}` }, word.tournaments.takeGame));
  const removal = () =>
    h("div", { key: REMOVE }, doubtful === REMOVE ? sure(REMOVE) : button("plain quietly", () => store.change({ doubtful: REMOVE }), { "data-step": REMOVE, disabled: busy }, word.tournaments.removeTournament));
  const sure = (action) =>
    confirmation(
      word.tournaments.sure,
      { leave: () => store.change({ doubtful: "" }), no: { "data-step": "no" } },
      { act: () => act(action), yes: { "data-step": "yes", disabled: busy }, title: word.tournaments.actions[action] },
    );
  return h("section", { class: "card next-steps", key: "steps" }, h("h2", {}, word.tournaments.next), h("ul", {}, ended.map(offer), tournament.next.map(step)), tournament.rounds.length === 0 && removal(), refusal(value, "steps"));
}
