// While bids are made: the bid that stands, whose turn it is, and the pad for the next one.

import { bidSign, die } from "./dice.js";
import { button, h } from "./dom.js";
import { rolls } from "./view-roll.js";
import { steps } from "./view-undo.js";
import { say } from "./words.js";

/** The bid, large, and whose turn it is. */
export function stage(state, store) {
  const { bid, turn } = state;
  return h(
    "section",
    { class: "stage", key: "stage" },
    h(
      "div",
      { class: "standing", key: bid ? "bid" : "none" },
      h("p", { class: "by" }, h("bdi", {}, bid ? say.bidBy(bid.player) : state.palifico ? say.palificoShort : say.noBid)),
      bid && bidSign(bid, "huge"),
    ),
    h("p", { class: "turnline", key: "turn" }, h("bdi", {}, bid ? say.turn(turn) : say.opens(turn))),
    rolls(state),
    rules(state, store),
    store &&
      !bid &&
      button("plain talk", () => store.change({ sheet: { kind: "count" } }), { key: "talk" }, say.justTalk),
  );
}

/** What holds in this round: palifico, and whether pacos are wild. With a store it is the way to the rules. */
export function rules(state, store = null) {
  const open = () => store.change({ sheet: { kind: "rules", page: "round" } });
  const line = (cls, ...content) =>
    store ? button(cls, open, { key: "rules", "aria-haspopup": "dialog" }, content) : h("p", { class: cls, key: "rules" }, content);
  if (state.palifico) {
    const who = h("strong", {}, h("bdi", {}, say.palifico(state.palifico)));
    return line("rule palifico", h("span", {}, who, " ", say.palificoMeans));
  }
  const paco = die(1, "ivory", { cls: state.wild ? "" : "struck" });
  return line("rule", paco, h("span", {}, state.wild ? say.wild : say.notWild));
}

const count = (state, face) => (state.lowest ? state.lowest[face] : null);
const highest = (state, face) => (state.highest && state.highest[face]) || 999;

/** The half-made bid that fits this state: what was tapped, as far as it is still legal. */
export function draft(state, own) {
  const key = `${state.game}/${state.round}/${state.bid ? `${state.bid.player}/${state.bid.count}/${state.bid.face}` : ""}`;
  const faces = [1, 2, 3, 4, 5, 6].filter((face) => count(state, face) !== null && count(state, face) !== undefined);
  if (!faces.length) return null;
  const kept = own && own.key.split("/")[0] === String(state.game) ? own : null;
  let face = kept && faces.includes(kept.face) ? kept.face : null;
  if (face === null) face = state.bid && faces.includes(state.bid.face) ? state.bid.face : faces.find((f) => f > 1) || faces[0];
  const low = count(state, face);
  const touched = Boolean(kept && kept.touched && kept.face === face && kept.round === state.round);
  const n = touched ? Math.min(Math.max(kept.count, low), highest(state, face)) : low;
  return { key, face, count: n, touched, round: state.round };
}

/** The pad. A bid is for the player on turn; only what is legal can be tapped. */
export function pad(ctx) {
  const { state, store, post } = ctx;
  const { draft: own, busy } = store.get();
  const made = draft(state, own);
  const may = state.may || { bid: [], dudo: [], calza: [] };
  // From what is there at the tap, not at the last drawing: two quick taps are two steps.
  const now = () => draft(state, store.get().draft);
  const change = (part) => store.change({ draft: { ...now(), ...part } });
  const step = (by) => {
    const { face, count: n } = now();
    change({ count: Math.min(Math.max(n + by, count(state, face)), highest(state, face)), touched: true });
  };
  const player = state.turn;
  const calza = () => {
    if (may.calza.length === 1) post("calza", { player: may.calza[0] });
    else store.change({ sheet: { kind: "calza" } }); // who says it?
  };
  const bid = () => {
    const { face, count: n } = now();
    return post("bid", { player, count: n, face });
  };
  return h(
    "section",
    { class: `pad${state.phase === "asking" ? " still" : ""}`, key: "pad", "aria-label": say.yourBid(player) },
    h(
      "div",
      { class: "padtop" },
      h("p", { class: "padfor" }, h("bdi", {}, say.yourBid(player))),
      state.phase === "bidding" && steps(ctx),
    ),
    made &&
      h(
        "div",
        { class: "facerow", role: "group", "aria-label": say.makeBid },
        [2, 3, 4, 5, 6, 1].map((face) => {
          const legal = count(state, face) !== null && count(state, face) !== undefined;
          const chosen = made.face === face;
          return h(
            "button",
            {
              type: "button",
              class: `facebutton${chosen ? " chosen" : ""}`,
              key: face,
              "data-face": face,
              disabled: !legal,
              "aria-pressed": String(chosen),
              "aria-label": legal ? say.face(face) : say.faceNotNow(face),
              on: { click: () => change({ face, count: count(state, face), touched: false }) },
            },
            die(face),
          );
        }),
      ),
    made &&
      h(
        "div",
        { class: "bidrow" },
        h(
          "div",
          { class: "stepper", role: "group", "aria-label": say.count },
          button("step", () => step(-1), { "data-step": "-1", "aria-label": say.fewer, disabled: made.count <= count(state, made.face) }, "−"),
          h("output", { class: "n", "data-count": made.count }, made.count),
          button("step", () => step(1), { "data-step": "1", "aria-label": say.more, disabled: made.count >= highest(state, made.face) }, "+"),
        ),
        h(
          "button",
          {
            type: "button",
            class: "go bidbutton",
            disabled: Boolean(busy),
            "aria-label": `${say.makeBid}: ${say.bid(made.count, made.face)}`,
            on: { click: () => bid() },
          },
          h("span", {}, say.makeBid),
          h("span", { class: "small" }, made.count, " × ", die(made.face)),
        ),
      ),
    h(
      "div",
      { class: "callrow" },
      button("call dudo", () => post("dudo", { player: state.turn }), { disabled: !may.dudo.length || Boolean(busy) }, say.dudo),
      state.calza && button("call calza", calza, { disabled: !may.calza.length || Boolean(busy) }, say.calza),
    ),
  );
}

/** One button a player, for "who was it?". */
export function whoButtons(state, names, onName) {
  return h(
    "div",
    { class: "whobuttons" },
    names.map((name) => {
      const player = state.players.find((p) => p.name === name);
      return h(
        "button",
        { type: "button", class: "who", key: name, on: { click: () => onName(name) } },
        h("i", { class: `mini ${player ? player.colour : ""}` }),
        h("bdi", {}, name),
      );
    }),
  );
}

/** The CALZA button was pressed and several may have said it. */
export function asking(ctx) {
  const { state, post } = ctx;
  return [
    stage(state),
    h(
      "section",
      { class: "card ask", key: "ask" },
      h("h2", {}, say.whoCalled),
      h("p", {}, say.whoCalledHint),
      whoButtons(state, state.asking ? state.asking.players : [], (player) => post("caller", { player })),
      h("p", { class: "quiet" }, say.notCalza),
    ),
  ];
}
