// The pad. A bid takes two taps, one on a face (which shows its lowest bid) and one on "Bid 6 fours"; calls are held. It
// bids for this phone's player or one without a phone; for anybody else it is disabled and says why.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { holdable } from "./hold-button.js";
import { acts, notMine, own, speaksFor, seatTaken } from "../core/identity.js";
import { FACES, draft, highest, lowest, standing, whyNotFace, whyNotFewer, whyNotMore } from "./legal-bids.js";
import { steps, toSeat } from "./undo.js";
import { faceName, say } from "../languages/language.js";

const HINT = 5000; // ms that a hint stays

// A sentence over the pad, near the thumb.
function hinting(store) {
  return (text) => {
    const hint = { text };
    store.change({ hint });
    setTimeout(() => store.get().hint === hint && store.change({ hint: null }), HINT);
  };
}

/** The pad of this phone. */
export function pad(ctx) {
  const { state, store } = ctx;
  const { me, standIn, hint } = store.get();
  const { turn } = state;
  const forced = Boolean(me) && me.host && acts(me) && standIn === standing(state); // the host bids for somebody who has a phone
  const mine = speaksFor(me, turn) || forced;
  const tell = hinting(store);
  const title = own(me) === turn ? say.yourBid : say.bidFor(turn);
  const why = mine ? "" : notMine(me, turn);
  return h(
    "section",
    { class: `pad${mine ? "" : " quietly"}`, key: "pad", "aria-label": title },
    h("p", { class: "hint", key: "hint", role: "status" }, hint ? hint.text : ""),
    h(
      "div",
      { class: "padtop", key: "top" },
      h("p", { class: "padfor" }, h("bdi", {}, mine ? title : why)),
      state.phase === "bidding" && me && acts(me) && steps(ctx),
    ),
    mine && bidding(ctx, tell),
    !mine && me && !acts(me) && toSeat(store, me),
    !mine &&
      acts(me) &&
      me.host &&
      button("plain instead", () => store.change({ standIn: standing(state) }), { key: "instead" }, h("bdi", {}, say.bidInstead(turn))),
    calls(ctx, tell, forced),
  );
}

function bidding({ state, store, post }, tell) {
  // From the store at the tap, not at the last drawing: two quick taps are two steps.
  const now = () => draft(state, store.get().draft);
  const made = now();
  const choose = (face) => {
    if (lowest(state, face) === null) tell(whyNotFace(state));
    else store.change({ draft: { key: standing(state), face, count: lowest(state, face) }, hint: null });
  };
  const step = (by) => {
    const chosen = now();
    if (!chosen) tell(say.chooseFirst);
    else if (chosen.count + by < lowest(state, chosen.face)) tell(whyNotFewer(state, chosen.face));
    else if (chosen.count + by > highest(state, chosen.face)) tell(whyNotMore(state, chosen.face));
    else store.change({ draft: { ...chosen, count: chosen.count + by }, hint: null });
  };
  const bid = () => {
    const chosen = now();
    if (!chosen) tell(say.chooseFirst);
    else post("bid", { player: state.turn, count: chosen.count, face: chosen.face });
  };
  const least = made && made.count <= lowest(state, made.face);
  const most = made && made.count >= highest(state, made.face);
  const off = (so) => (so ? "true" : null);
  return [
    h(
      "div",
      { class: "facerow bids", key: "faces", role: "group", "aria-label": say.chooseBid },
      FACES.map((face) => faceButton(state, face, made, choose)),
    ),
    h(
      "div",
      { class: "bidrow", key: "bid" },
      h(
        "div",
        { class: "stepper", role: "group", "aria-label": say.count },
        button("step", () => step(-1), { "data-step": "-1", "aria-label": say.fewer, "aria-disabled": off(!made || least) }, "−"),
        h("output", { class: "n", "data-count": made ? made.count : null, "aria-label": made ? null : say.notYet }, made ? made.count : "–"),
        button("step", () => step(1), { "data-step": "1", "aria-label": say.more, "aria-disabled": off(!made || most) }, "+"),
      ),
      button(
        `go bidbutton${store.get().busy === "bid" ? " sending" : ""}`,
        bid,
        { "aria-disabled": off(!made) },
        made ? [h("span", {}, say.bidThis(made.count, made.face)), die(made.face)] : h("span", {}, say.chooseBid),
      ),
    ),
  ];
}

function faceButton(state, face, made, choose) {
  const low = lowest(state, face);
  const chosen = Boolean(made) && made.face === face;
  const count = chosen ? made.count : low;
  return button(
    `facebutton${chosen ? " chosen" : ""}`,
    () => choose(face),
    {
      key: face,
      "data-face": face,
      "aria-pressed": String(chosen),
      "aria-disabled": low === null ? "true" : null,
      "aria-label": low === null ? say.faceNotNow(face) : `${count} ${faceName(face, count)}`,
    },
    h("span", { class: "from", "aria-hidden": "true" }, low === null ? "–" : count),
    die(face),
  );
}

function calls(ctx, tell, forced) {
  const { state, store, post } = ctx;
  const { me } = store.get();
  const { may } = state;
  const mayFor = (name) => speaksFor(me, name) || (forced && name === state.turn);
  const dudo = may.dudo.find(mayFor);
  // A player's own calza needs no question; for players without a phone the page asks who.
  const able = may.calza.filter(mayFor);
  const calza = able.includes(own(me)) ? own(me) : able.length === 1 ? able[0] : null;
  const ask = () => store.change({ sheet: { kind: "calza" } });
  return h(
    "div",
    { class: "callrow", key: "calls" },
    call(ctx, tell, "dudo", dudo, dudo ? () => post("dudo", { player: dudo }) : null, whyNotDudo(state, me)),
    state.calza && call(ctx, tell, "calza", calza, able.length ? (calza ? () => post("calza", { player: calza }) : ask) : null, whyNotCalza(state, me)),
  );
}

function whyNotDudo({ may, turn, bid }, me) {
  if (me && !acts(me)) return say.onlyWatches;
  if (!bid || !may.dudo.length) return say.noBidToCall;
  return own(me) && !seatTaken(me, own(me)) && !may.dudo.includes(own(me)) ? say.onlyOnTurn(turn) : say.phoneCalls(may.dudo[0]);
}

function whyNotCalza({ may, bid }, me) {
  if (me && !acts(me)) return say.onlyWatches;
  if (!bid) return say.noBidToCall;
  if (!may.calza.length) return say.noCalzaNow;
  return own(me) === bid.player ? say.ownBid : say.calzaOf(may.calza);
}

// A call button. `player` is the caller, if known; `act` is null if this phone may not make the call.
function call({ store }, tell, kind, player, act, why) {
  const { me, busy } = store.get();
  const whose = act && player && player !== own(me) ? player : "";
  const refused = () => (me && !me.joined ? store.change({ sheet: { kind: "join" } }) : tell(why));
  return [
    h(
      "button",
      {
        type: "button",
        class: `call hold ${kind}${busy === kind ? " sending" : ""}`,
        key: kind,
        "aria-disabled": act ? null : "true",
        "aria-describedby": `about-${kind}`,
        mount: holdable,
        on: {
          held: () => act && act(),
          early: (event) => tell(event.detail ? say.holdKeys : say.holdHint),
          refused,
        },
      },
      h("svg", { class: "ring", "aria-hidden": "true", focusable: "false" }, h("rect", { pathLength: 1, rx: 13, width: "100%", height: "100%" })),
      h("span", { class: "calltext" }, say[kind]),
      whose && h("bdi", { class: "whose" }, whose),
    ),
    h("span", { class: "hidden", id: `about-${kind}`, key: `about-${kind}` }, act ? say.holdHint : why),
  ];
}
