// The dice were counted without a known call: the tally of every face, and the form for the call.

import { bidSign, die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { faceRows } from "./face-rows.js";
import { lastCorrection } from "./judgement.js";
import { FACES, standing } from "../game/legal-bids.js";
import { plays } from "../game/players.js";
import { asks, closely, touchPicture } from "../picture/correction.js";
import { dock } from "../game/undo.js";
import { say } from "../languages/language.js";

const MOST = 99; // dice in a bid on this form; the table checks the rest

// The player `step` seats on, clockwise, among those with dice.
function neighbour(state, name, step) {
  const names = state.players.filter(plays).map((player) => player.name);
  const at = names.indexOf(name);
  return at < 0 ? null : names[(at + step + names.length) % names.length];
}

/** The call so far, filled in with what is likely: the last bid entered, and who may doubt it. */
export function callSoFar(state, own) {
  const { bid } = state;
  const key = standing(state);
  const made =
    own && own.key === key
      ? own
      : {
          key,
          call: state.counting || "dudo",
          caller: null,
          bidder: bid ? bid.player : null,
          face: bid ? bid.face : null,
          count: bid ? bid.count : null,
          picked: bid ? ["bidder"] : [], // "caller", "bidder": chosen by a player, not only likely
          said: "",
        };
  const is = (who) => (made.picked.includes(who) ? made[who] : null);
  let caller = is("caller");
  let bidder = is("bidder");
  if (made.call === "dudo") {
    caller = caller || neighbour(state, bidder, 1);
    bidder = bidder || neighbour(state, caller, -1);
  }
  return { ...made, caller, bidder };
}

/** The tally, the picture, and the form. */
export function callForm(ctx) {
  const { state, store, post } = ctx;
  const { reading: seen } = state;
  const now = () => callSoFar(state, store.get().call);
  const made = now();
  const change = (part) => store.change({ call: { ...now(), said: "", ...part } });
  const pick = (who) => (name) => change({ [who]: name, picked: [...new Set([...now().picked, who])] });
  const step = (by) => {
    const { face, count } = now();
    change({ count: count === null ? first(state, face) : Math.min(Math.max(count + by, 1), MOST) });
  };
  return h(
    "section",
    { class: "card telling", key: "telling" },
    h("h2", {}, say.tellTitle),
    lastCorrection(ctx),
    tally(state),
    faceRows(ctx, seen ? { onDie: asks(ctx) } : {}),
    closely(ctx),
    seen && touchPicture(ctx),
    seen && h("p", { class: "quiet" }, seen.picture ? say.checkHint : say.noPicture),
    h(
      "div",
      { class: "row" },
      seen && button("plain", () => post("again"), {}, say.again),
      button("plain", () => store.change({ sheet: { kind: "hand" } }), {}, say.byHand),
    ),
    state.calza && group(say.whichCall, ["dudo", "calza"].map((call) => [call, say[call]]), made.call, (call) => change({ call })),
    group(say.whoDid[made.call], seats(state), made.caller, pick("caller"), "caller"),
    group(say.whoBid, seats(state), made.bidder, pick("bidder"), "bidder"),
    h("p", { class: "asks" }, say.whatBid),
    h(
      "div",
      { class: "facerow", role: "group", "aria-label": say.whatBid, "data-ask": "face" },
      FACES.map((face) =>
        button(
          `facebutton${made.face === face ? " chosen" : ""}`,
          () => change({ face }),
          { key: face, "data-face": face, "aria-pressed": String(made.face === face), "aria-label": say.face(face) },
          die(face),
        ),
      ),
    ),
    h(
      "div",
      { class: "stepper", role: "group", "aria-label": say.count, "data-ask": "count" },
      button("step", () => step(-1), { "data-step": "-1", "aria-label": say.fewer }, "−"),
      h("output", { class: "n", "aria-label": made.count === null ? say.notYet : null }, made.count === null ? "?" : made.count),
      button("step", () => step(1), { "data-step": "1", "aria-label": say.more }, "+"),
    ),
  );
}

// The first count to show for a face: the number of dice on the table.
function first(state, face) {
  const there = face && state.tally ? state.tally.find((line) => line.face === face) : null;
  return Math.max(1, there ? (state.wild ? there.with_pacos : there.alone) : 1);
}

/** "Judge", or the next open question (a tap leads there), and the last refusal. */
export function judgeDock(ctx) {
  const { state, store, post } = ctx;
  const { busy } = store.get();
  const now = () => callSoFar(state, store.get().call);
  const made = now();
  const left = ["caller", "bidder", "face", "count"].find((part) => made[part] === null);
  const judge = () => {
    const { call, caller, bidder, count, face } = now(); // at the tap, not at the last drawing
    const refused = (said) => store.change({ call: { ...now(), said } });
    post("tell", { call, caller, bidder, count, face }, { refused });
  };
  return dock(ctx, [
    made.said && h("p", { class: "problem refused", key: "refused", role: "alert" }, made.said),
    button(
      "go",
      left ? () => ask(left) : judge,
      { key: "judge", disabled: Boolean(busy) },
      left
        ? say.untold[left]
        : [
            h("span", {}, say.judge),
            h("span", { class: "small" }, h("bdi", {}, say.toldOf(made.caller, say[made.call], made.bidder)), bidSign(made, "inline")),
          ],
    ),
  ]);
}

// Scrolls to the open question and focuses it.
function ask(part) {
  const question = document.querySelector(`[data-ask="${part}"]`);
  question.scrollIntoView({ block: "center" });
  question.querySelector("button").focus({ preventScroll: true });
}

/** How many dice show each face: the number that counts in this round large, beside it alone or with the pacos. */
export function tally(state) {
  if (!state.tally) return null;
  return h(
    "ul",
    { class: "allfaces", key: "allfaces", "aria-label": say.allFaces },
    state.tally.map(({ face, alone, with_pacos: both }) =>
      h(
        "li",
        { key: face, "data-tally": face },
        die(face, "ivory", { label: say.face(face) }),
        h("strong", { class: "n" }, state.wild ? both : alone),
        h("span", { class: "beside" }, face > 1 && (state.wild ? say.alone(alone) : [say.withPacos(both), " ", die(1, "ivory", { label: say.face(1) })])),
      ),
    ),
  );
}

const seats = (state) => state.players.filter(plays).map((player) => [player.name, player.name, player.colour]);

function group(label, choices, picked, onPick, asks = null) {
  return [
    h("p", { class: "asks" }, label),
    h(
      "div",
      { class: "colourrow", role: "group", "aria-label": label, "data-ask": asks },
      choices.map(([value, text, colour]) =>
        button(
          `colourbutton${value === picked ? " chosen" : ""}`,
          () => onPick(value),
          { key: value, "data-value": value, "aria-pressed": String(value === picked) },
          colour && h("i", { class: `mini ${colour}` }),
          h("span", {}, h("bdi", {}, text)),
        ),
      ),
    ),
  ];
}
