// The pad. The lowest raise is chosen already, so that "Bid" always works: a bid takes one tap, or one more on a face or on
// plus; calls are held. It bids for this phone's player, or after one more tap for one whose phone is not there; a tablet's bids for
// all of these. On anybody else's turn it is one line.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { counts, repeats } from "./count-row.js";
import { holdable } from "./hold-button.js";
import { acts, isAway, isRobot, own, speaksFor } from "../core/identity.js";
import { FACES, MOST, choosesWay, draft, first, highest, legal, lowest, standing, whyNot } from "./legal-bids.js";
import { coachOf, demoOf } from "./lazy-views.js";
import { turnLine } from "./stage.js";
import { toSeat } from "./undo.js";
import { faceName, say } from "../languages/language.js";

const HINT = 5000; // ms that a hint stays

// A sentence in place of the first line, near the thumb.
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
  const free = jumped(store, state); // whose bid against the rules is entered, if one is
  const bidder = free || turn;
  const host = Boolean(me) && me.host && acts(me);
  const self = own(me);
  const away = isAway(me, turn);
  const asked = standIn === standing(state) || Boolean(free); // to bid for somebody else, in a tap before
  const able = speaksFor(me, bidder);
  const mine = able ? asked || self === bidder || (!self && !away) : host && asked;
  const offers = able && !mine;
  const tell = hinting(store, state);
  const title = bidder !== turn ? say.outOfTurn(bidder) : free ? say.breaksRules(bidder) : self === turn ? say.yourBid : say.playFor(turn);
  const { colour } = state.players.find(({ name }) => name === bidder) || {};
  const other = mine && bidder !== self ? ` other ${colour}` : ""; // the whole pad says that it bids for somebody else
  const dice = demoOf(ctx, "ownDice");
  return h(
    "section",
    { class: `pad${acts(me) ? " bids-too" : ""}${dice ? " dealt" : ""}${mine ? other : " quietly"}`, key: "pad", "aria-label": title },
    dice,
    h(
      "div",
      { class: "padtop", key: "top" },
      (!isRobot(me, turn) || mine) &&
        h(
          "p",
          { class: `turnline${self === turn ? " yours" : offers || away ? " missed" : ""}`, key: "turn" },
          h("bdi", { class: other && !free ? "hidden" : "", key: "whose" }, free ? title : away ? say.phoneAway(turn) : offers ? say.noPhone(turn) : turnLine(state, me)),
          other && !free && h("bdi", { key: "for" }, title),
        ),
      offers && button("plain instead", () => store.change({ standIn: standing(state) }), { key: "instead" }, h("bdi", {}, say.playFor(turn))),
      !mine && demoOf(ctx, "robotLine"),
      !mine && me && !acts(me) && toSeat(store, me),
      h("p", { class: "hint", key: "hint", role: "status" }, hint && hint.key === standing(state) ? hint.text : self === turn && mine && !free ? coachOf(ctx, "turn") : ""),
    ),
    mine && bidding(ctx, tell, bidder, Boolean(free)),
    !free && calls(ctx, tell, mine),
  );
}

/** Enter a bid of `player` that is against the rules, and that everybody let pass: out of turn, or too low. */
export const jump = (store, state, player) => store.change({ jump: { key: standing(state), player }, draft: null, sheet: null });

function jumped(store, state) {
  const { jump: made } = store.get();
  return made && made.key === standing(state) ? made.player : null;
}

function bidding({ state, store, post }, tell, bidder, free) {
  // From the store at the tap, not at the last drawing: two quick taps are two steps.
  const now = () => draft(state, store.get().draft) || first(state, free);
  const against = (chosen) => (bidder === state.turn ? whyNot(state, chosen) : say.turn(state.turn)); // why the rules do not allow it
  const made = now();
  const put = (part) => store.change({ draft: { key: standing(state), picked: false, way: null, ...now(), ...part }, hint: null });
  const choose = (face) => {
    const low = lowest(state, face);
    if (low === null && !free) {
      tell(whyNot(state, { face, count: 1 }));
      return;
    }
    const picked = keeps(state, now(), face); // the count that was chosen stays
    put({ face, picked, count: picked ? now().count : low || (state.bid ? state.bid.count : 1) });
  };
  const pick = (count) => put({ count, picked: true });
  const step = (by) => {
    const chosen = now();
    if (!chosen) return tell(whyNot(state, { face: 6, count: 1 }));
    const count = chosen.count + by;
    const why = free ? "" : whyNot(state, { ...chosen, count });
    if (count < 1) tell(say.atLeastOne);
    else if (why) tell(why);
    else if (count <= MOST) pick(count);
  };
  const enter = (accepted) => {
    const chosen = now();
    if (!chosen) tell(whyNot(state, { face: 6, count: 1 }));
    else if (!accepted && against(chosen)) tell(against(chosen));
    else {
      const direction = choosesWay(state) ? { direction: chosen.way || state.direction } : {};
      post("bid", { player: bidder, count: chosen.count, face: chosen.face, ...direction, ...(accepted ? { accepted } : {}) });
    }
  };
  const passes = free && Boolean(made) && Boolean(against(made));
  const least = !made || made.count <= (free ? 1 : lowest(state, made.face));
  const most = !made || made.count >= (free ? MOST : highest(state, made.face));
  const off = (so) => (so ? "true" : null);
  return [
    choosesWay(state) && ways(state, made, (way) => put({ way })),
    h(
      "div",
      { class: "facerow bids", key: "faces", role: "group", "aria-label": say.chooseBid },
      FACES.map((face) => faceButton(state, face, made, free, choose)),
    ),
    h(
      "div",
      { class: "bidrow", key: "bid" },
      button("step", () => step(-1), { "data-step": "-1", "aria-label": say.fewer, "aria-disabled": off(least), mount: repeats }, "−"),
      button(
        `go bidbutton${store.get().busy === "bid" ? " sending" : ""}`,
        ({ currentTarget }) => {
          currentTarget._since = performance.now(); // the second tap of a double tap is not the next player's bid (see `dom.js`)
          enter(false);
        },
        { "aria-disabled": off(!made || passes) },
        made ? [h("span", {}, say.bidThis(made.count, made.face)), die(made.face)] : h("span", {}, say.noRaise),
      ),
      button("step", () => step(1), { "data-step": "1", "aria-label": say.more, "aria-disabled": off(most), mount: repeats }, "+"),
    ),
    !state.bid && !free && counts(state, made, pick),
    free &&
      h(
        "div",
        { class: "callrow", key: "pass" },
        passes && button("plain letpass", () => enter(true), { key: "letpass" }, say.letPass),
        button("plain", () => store.change({ jump: null, draft: null }), { key: "stay" }, say.goBack),
      ),
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

function faceButton(state, face, made, free, choose) {
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
      "aria-disabled": low === null && !free ? "true" : null,
      "aria-label": count === null ? (free ? say.face(face) : say.faceNotNow(face)) : `${count} ${faceName(face, count)}`,
    },
    die(face),
  );
}

// The calls that this phone may make now; under a bid of its own turn, both, and why one may not be made.
function calls(ctx, tell, mine) {
  const { state, store, post } = ctx;
  const { me } = store.get();
  const { may, bid } = state;
  const self = own(me);
  const mayFor = (name) => (name === state.turn ? mine : speaksFor(me, name) && (!self || name === self));
  const dudo = may.dudo.find(mayFor);
  // A player's own calza needs no question; a tablet asks who.
  const able = may.calza.filter(mayFor);
  const calza = able.includes(self) ? self : able.length === 1 ? able[0] : null;
  const ask = () => store.change({ sheet: { kind: "calza" } });
  if (!bid || !(mine || dudo || able.length)) return null;
  return h(
    "div",
    { class: "callrow", key: "calls" },
    (mine || dudo) && call(ctx, tell, "dudo", dudo, dudo ? () => post("dudo", { player: dudo }) : null, may.dudo.length ? say.phoneCalls(may.dudo[0]) : say.noBidToCall),
    state.calza && (mine || able.length > 0) && call(ctx, tell, "calza", calza, able.length ? (calza ? () => post("calza", { player: calza }) : ask) : null, whyNotCalza(state, me)),
  );
}

function whyNotCalza({ may, bid }, me) {
  if (!may.calza.length) return say.noCalzaNow;
  return own(me) === bid.player ? say.ownBid : say.calzaOf(may.calza);
}

// A call button. `player` is the caller, if known; `act` is null if this phone may not make the call.
function call({ store }, tell, kind, player, act, why) {
  const { me, busy } = store.get();
  const whose = act && player && player !== own(me) ? player : "";
  const hold = kind === "calza" ? `${say.calzaMeans} ${say.holdHint}` : say.holdHint;
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
          early: (event) => tell(event.detail ? say.holdKeys : hold),
          refused: () => tell(why),
        },
      },
      h("svg", { class: "ring", "aria-hidden": "true", focusable: "false" }, h("rect", { pathLength: 1, rx: 13, width: "100%", height: "100%" })),
      h("span", { class: "calltext" }, say[kind]),
      whose && h("bdi", { class: "whose" }, whose),
    ),
    h("span", { class: "hidden", id: `about-${kind}`, key: `about-${kind}` }, act ? hold : why),
  ];
}
