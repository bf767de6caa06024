// Whether a game counts, for a manager: a trial game does not.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { refusal } from "./form.js";

/** The card on the page of a game. `done(answer)` gets what the club then says of it. */
export function gameDesk(value, desk, path, done) {
  const { left_out: leftOut } = value.game.result;
  const change = async () => {
    const answer = await desk.post("count", `games/${path}/count`, { counts: leftOut });
    if (answer) done(answer);
  };
  return h(
    "section",
    { class: "card", key: "desk" },
    refusal(value, "count"),
    button("plain", change, { key: "count", disabled: value.busy, "data-item": "count" }, leftOut ? word.lobby.countGame : word.lobby.leaveOut),
    h("p", { class: "quiet", key: "hint" }, word.lobby.leaveOutHint),
  );
}
