// The pad. A bid takes two taps, one on a face (which shows its lowest bid) and one on "Bid 6 fours", or three with one on
// the count; calls are held. It
// bids for this phone's player or one without a phone; for anybody else it is disabled and says why.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { counts, repeats, showCount } from "./counts.js";
import { holdable } from "./hold-button.js";
import { acts, isRobot, notMine, own, speaksFor, seatTaken } from "../core/identity.js";
import { FACES, MOST, choosesWay, draft, highest, legal, lowest, standing, whyNot } from "./legal-bids.js";
import { plays } from "./players.js";
import { steps, toSeat } from "./undo.js";
import { faceName, say } from "../languages/language.js";

const HINT = 5000; // ms that a hint stays

// A sentence over the pad, near the thumb.
function hinting(store, state) {
  return (text) => {
    const hint = { text, key: standing(state) };
    store.change({ hint });
    setTimeout(() => store.get().hint === hint && store.change({ hint: null }), HINT);
  };
}

/** The pad of this phone. */
export function pad(ctx) {
  const { state, store } = ctx;
  const { me, standIn, hint } = store.get();
  const { turn } = state;
  const bidder = jumped(store, state) || turn; // who bids out of turn, if somebody does
  const host = Boolean(me) && me.host && acts(me);
  const forced = host && (standIn === standing(state) || bidder !== turn); // the host bids for somebody who has a phone
  const mine = speaksFor(me, bidder) || forced;
  const tell = hinting(store, state);
  const self = own(me);
  const title = bidder !== turn ? say.outOfTurn(bidder) : self === turn ? say.yourBid : say.bidFor(turn);
  const why = mine ? "" : notMine(me, turn);
  const { colour } = state.players.find(({ name }) => name === bidder) || {};
  const other = mine && bidder !== self ? ` other ${colour}` : ""; // the whole pad says that it bids for somebody else
  return h(
    "section",
    { class: `pad${mine ? other : " quietly"}`, key: "pad", "aria-label": title },
    h("p", { class: "hint", key: "hint", role: "status" }, hint && hint.key === standing(state) ? hint.text : ""),
    h(
      "div",
      { class: "padtop", key: "top" },
      h("p", { class: "padfor" }, other && h("i", { class: `mini ${colour}`, "aria-hidden": "true" }), h("bdi", {}, mine ? title : why)),
      bidder !== turn
        ? button("plain", () => store.change({ jump: null, draft: null }), { key: "stay" }, say.goBack)
        : state.phase === "bidding" && me && acts(me) && steps(ctx),
    ),
    mine && bidding(ctx, tell, bidder),
    !mine && me && !acts(me) && toSeat(store, me),
    !mine && !isRobot(me, turn) && h(
      "div",
      { class: "row", key: "others" },
      host && button("plain instead", () => store.change({ standIn: standing(state) }), { key: "instead" }, h("bdi", {}, say.bidInstead(turn))),
      self && self !== turn && state.players.some((player) => player.name === self && plays(player)) && button("plain instead jump", () => jump(store, state, self), { key: "jump" }, say.iJump),
    ),
    calls(ctx, tell, forced),
  );
}

/** Let `player` bid although it is another's turn. */
export const jump = (store, state, player) => store.change({ jump: { key: standing(state), player }, draft: null, sheet: null });

function jumped(store, state) {
  const { jump: made } = store.get();
  return made && made.key === standing(state) && made.player !== state.turn ? made.player : null;
}

function bidding({ state, store, post }, tell, bidder) {
  // From the store at the tap, not at the last drawing: two quick taps are two steps.
  const now = () => draft(state, store.get().draft);
  const against = (chosen) => (bidder === state.turn ? whyNot(state, chosen) : say.turn(state.turn)); // why the rules do not allow it
  const made = now();
  const begin = () => ({ key: standing(state), face: null, count: null, picked: false, way: null, ...now() });
  const put = (chosen) => {
    store.change({ draft: chosen, hint: null });
    const why = chosen.face ? whyNot(state, chosen) : "";
    if (why) tell(why);
    if (chosen.picked) showCount(chosen.count);
  };
  const choose = (face) => {
    const picked = keeps(state, now(), face); // the count that was chosen stays
    put({ ...begin(), face, picked, count: picked ? now().count : lowest(state, face) || (state.bid ? state.bid.count : 1) });
  };
  const pick = (count) => put({ ...begin(), count, picked: true });
  const step = (by) => {
    const chosen = now();
    if (!chosen || !chosen.count) tell(say.chooseFirst);
    else if (chosen.count + by < 1) tell(say.atLeastOne);
    else if (chosen.count + by <= MOST) pick(chosen.count + by);
  };
  const turnTo = (way) => store.change({ draft: { ...begin(), way } });
  const enter = (accepted) => {
    const chosen = now();
    if (!chosen || !chosen.face) tell(say.chooseFirst);
    else if (!accepted && against(chosen)) tell(against(chosen));
    else {
      const direction = choosesWay(state) ? { direction: chosen.way || state.direction } : {};
      post("bid", { player: bidder, count: chosen.count, face: chosen.face, ...direction, ...(accepted ? { accepted } : {}) });
    }
  };
  const bid = made && made.face ? made : null;
  const passes = Boolean(bid && against(bid));
  const least = bid && bid.count <= (lowest(state, bid.face) || 1);
  const most = bid && bid.count >= highest(state, bid.face);
  const off = (so) => (so ? "true" : null);
  return [
    choosesWay(state) && ways(state, made, turnTo),
    h(
      "div",
      { class: "facerow bids", key: "faces", role: "group", "aria-label": say.chooseBid },
      FACES.map((face) => faceButton(state, face, made, choose)),
    ),
    counts(state, made, pick),
    h(
      "div",
      { class: "bidrow", key: "bid" },
      button("step", () => step(-1), { "data-step": "-1", "aria-label": say.fewer, "aria-disabled": off(!bid || least), mount: repeats }, "−"),
      button(
        `go bidbutton${store.get().busy === "bid" ? " sending" : ""}`,
        () => enter(false),
        { "aria-disabled": off(!bid || passes) },
        bid ? [h("span", {}, say.bidThis(bid.count, bid.face)), die(bid.face)] : h("span", {}, say.chooseBid),
      ),
      button("step", () => step(1), { "data-step": "1", "aria-label": say.more, "aria-disabled": off(!bid || most), mount: repeats }, "+"),
    ),
    passes && button("plain letpass", () => enter(true), { key: "letpass" }, say.letPass),
  ];
}

// Which way round the bids go, said by who opens.
function ways(state, made, turnTo) {
  const chosen = (made && made.way) || state.direction;
  return h(
    "div",
    { class: "ways", key: "ways", role: "group", "aria-label": say.whichWay },
    ["clockwise", "counterclockwise"].map((way) =>
      button("plain choice", () => turnTo(way), { key: way, "data-way": way, "aria-pressed": String(way === chosen) }, say.ways[way]),
    ),
  );
}

// Whether the count that a player chose stays when the face changes.
const keeps = (state, made, face) => Boolean(made && made.picked) && legal(state, face, made.count);

function faceButton(state, face, made, choose) {
  const low = lowest(state, face);
  const chosen = Boolean(made) && made.face === face;
  const count = chosen || keeps(state, made, face) ? made.count : low;
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
