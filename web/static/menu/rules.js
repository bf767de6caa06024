// The rules sheet: the rules of this round, the last verdict step by step, the book of this game and its differences from
// another one, and the rules that all books share.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { alone, own } from "../core/identity.js";
import { settings } from "../core/settings.js";
import { counts } from "../reveal/judgement.js";
import { explainAgain } from "../game/first-round.js";
import { FACES, hasRule, highest, lowest } from "../game/legal-bids.js";
import { faceName, say, textOf } from "../languages/language.js";

const PAGES = ["round", "verdict", "book", "shared"];
const IN_A_ROUND = ["bidding", "asking", "reading", "checking", "telling", "verdict"];
const MANY = 12; // dice; if there are more, they are not drawn

/** The sheet: [title, content]. `open.page` is one of `PAGES`, if that page has anything to show. */
export function sheet(ctx, open) {
  const { state, store } = ctx;
  const pages = PAGES.filter((page) => there(state, page));
  const page = pages.includes(open.page) ? open.page : pages[0];
  return [
    say.rulesTitle,
    h(
      "div",
      { class: "rulebook", key: `game-${state.game}`, mount: () => ask(store, open.compare) },
      h(
        "div",
        { class: "pages", role: "group", "aria-label": say.rulesTitle },
        pages.map((name) =>
          button("page", () => change(store, { page: name }), { key: name, "data-page": name, "aria-pressed": String(name === page) }, say.rulesPages[name]),
        ),
      ),
      h("div", { class: "rulepage", key: page }, content(ctx, open, page)),
      h("div", { class: "sidelinks", key: "learn" }, learn(ctx)),
    ),
  ];
}

// The lesson for who is new, and the sentences of a first round once more.
function learn({ state, store }) {
  const again = () => {
    explainAgain(state);
    store.change({ sheet: null });
  };
  return [
    button("link", () => store.change({ sheet: { kind: "lesson" } }), { key: "lesson", "data-item": "lesson" }, say.howToPlay),
    alone(store.get().me, state) && settings().played && button("link", again, { key: "again", "data-item": "again" }, say.explainAgain),
  ];
}

function there(state, page) {
  if (page === "round") return IN_A_ROUND.includes(state.phase) && state.wild !== null;
  if (page === "verdict") return Boolean(state.verdict || state.last);
  return true;
}

function content(ctx, open, page) {
  if (page === "round") return round(ctx, open.rules);
  if (page === "verdict") return explained(ctx.state);
  if (open.failed) return h("p", { class: "quiet" }, say.noAnswer);
  if (!open.rules) return h("p", { class: "quiet" }, say.connecting);
  return page === "book" ? book(ctx, open) : shared(open.rules);
}

// Merge `part` into the current sheet, which may have changed since it was drawn, or be closed.
function change(store, part) {
  const { sheet: now } = store.get();
  if (now && now.kind === "rules") store.change({ sheet: { ...now, ...part } });
}

async function ask(store, compare) {
  let rules = null;
  try {
    const answer = await fetch(`/api/v1/rules${compare ? `?compare=${encodeURIComponent(compare)}` : ""}`, { cache: "no-store" });
    if (answer.ok) rules = await answer.json();
  } catch {
    // the page says so
  }
  const { sheet: now } = store.get();
  if (!now || (now.compare || "") !== (compare || "")) return; // another book was chosen meanwhile
  if (rules || !now.rules) change(store, { rules, failed: !rules, uncompared: false });
  else change(store, { compare: now.rules.compare ? now.rules.compare.id : "", uncompared: true }); // keep what is shown
}

// The rules of this round

function round({ state, store }, rules) {
  const { phase, palifico, wild, may, bid } = state;
  const bids = ["bidding", "asking"].includes(phase);
  return [
    phase === "verdict" && h("p", { class: "quiet", key: "next" }, say.inNextRound),
    h(
      "ul",
      { class: "holds", key: "holds" },
      point("wild", die(1, "ivory", { cls: wild ? "" : "struck" }), wild ? say.nowWild : say.nowNotWild),
      palifico && point("palifico", die(bid && bids ? bid.face : 0), `${palifico === own(store.get().me) ? say.youArePalifico : say.palifico(palifico)} ${locked(state, rules)}`),
      bids && (raises(state) ? point("next", null, say.nextBid(state.turn), legalBids(state)) : point("next", null, say.noRaise)),
      bids && point("dudo", null, may.dudo.length ? say.mayDudo(may.dudo.join(", ")) : say.noDudoYet),
      bids && point("calza", null, !state.calza ? say.calzaOff : may.calza.length ? say.mayCalza(may.calza.join(", ")) : say.nobodyCalza),
    ),
  ];
}

const point = (key, sign, text, more = null) =>
  h("li", { key, class: sign ? "signed" : "" }, sign, h("div", {}, h("p", {}, h("bdi", {}, text)), more));

function locked({ bid, phase }, rules) {
  const rule = rules && rules.rules.find(({ rule: name }) => name === "locked_face_changed_by");
  if (rule && rule.value !== "nobody") return say.lockedForMost;
  return bid && phase !== "verdict" ? say.lockedTo(bid.face) : say.lockedSoon;
}

const raises = (state) => FACES.some((face) => lowest(state, face) !== null);

// "6 or more fours, 5 fives, 3 or more pacos", as symbols.
function legalBids(state) {
  const faces = FACES.filter((face) => lowest(state, face) !== null);
  return h(
    "ul",
    { class: "bids" },
    faces.map((face) => {
      const least = lowest(state, face);
      const only = highest(state, face) === least;
      const label = (only ? say.exactly : say.orMore)(least, face);
      return h(
        "li",
        { key: face, class: "bidsign inline", "data-face": face },
        h("span", { class: "hidden" }, label),
        h("span", { class: "n", "aria-hidden": "true" }, `${least}${only ? "" : "+"}`),
        die(face, "ivory"),
      );
    }),
  );
}

// The last verdict, step by step

function explained(state) {
  const judged = state.verdict || state.last;
  const corrected = judged === state.verdict ? (state.corrections || []).map((each) => [`corrected ${each.step}`, textOf(each)]) : [];
  const steps = [...verdictSteps(judged, state.rules), ...corrected];
  return h(
    "ol",
    { class: "steplist" },
    steps.map(([kind, text]) =>
      h("li", { key: kind, class: `vstep ${kind}` }, h("p", {}, h("bdi", {}, text)), kind === "sum" && dice(state, judged)),
    ),
  );
}

/** The steps to a verdict, from its data and the game's house rules: [what the step is about, its sentence]. */
export function verdictSteps(judged, rules = []) {
  const { call, caller, bidder, bid, wild, faces, pacos, count, correct, loses, lost, gains, eliminated, opener, palifico, winner } = judged;
  const split = wild && bid.face !== 1;
  const steps = [["called", say.stepCalled[call](bidder, bid.count, bid.face, caller)]];
  if (judged.accepted) steps.push(["passed", say.stepPassed]);
  if (!wild) steps.push(["wild", tame(rules)(bid.face)]);
  else steps.push(["wild", split ? say.stepWild(bid.face) : say.stepOnPacos]);
  steps.push(["sum", say.tally(faces, bid.face, pacos, count, split)]);
  if (call === "calza") steps.push(["against", correct ? say.stepExact(bid.count) : say.stepNotExact[count > bid.count ? "under" : "over"](bid.count)]);
  else steps.push(["against", correct ? say.stepFails(bid.count, count) : say.stepHolds[count === bid.count ? "exact" : "more"](bid.count)]);
  if (loses) steps.push(["pays", loses === caller ? say.stepCallerPays[call](loses, lost) : say.stepBidderPays(loses, caller, lost)]);
  else steps.push(["pays", gains ? say.stepGains(gains) : say.stepFull(caller)]);
  if (eliminated) steps.push(["out", say.stepOut(eliminated)]);
  if (winner) steps.push(["opens", say.stepWon(winner)]);
  else if (opener) steps.push(["opens", opens(judged, hasRule({ rules }, "opens_after_dudo", "winner"))]);
  if (palifico && !winner) steps.push(["palifico", say.palificoNext(palifico)]);
  return steps;
}

// Why pacos did not count.
function tame(rules) {
  if (hasRule({ rules }, "pacos_wild", false)) return say.stepTame;
  return hasRule({ rules }, "opened_on_pacos_wild", false) ? say.stepNotWild : say.stepPalifico;
}

function opens({ call, caller, bidder, loses, eliminated, opener, palifico }, winnerOpens) {
  if (call === "calza" && opener === caller) return say.stepAfterCalza(opener);
  if (call === "calza" && loses === bidder) return say.opensNext(opener); // the palifico
  if (call === "dudo" && winnerOpens) return opener === palifico ? say.opensNext(opener) : say.stepWinnerOpens(opener);
  if (eliminated && opener !== eliminated) return say.stepLeft(eliminated, opener);
  return opener === loses ? say.stepLoserOpens(opener) : say.opensNext(opener);
}

// The dice of the sum: with their players if the table still knows them, else only their faces.
function dice(state, judged) {
  const { bid, faces, pacos } = judged;
  const of = ({ name }) =>
    state.byhand ? (state.byhand[name] || []).filter((face) => counts(judged, face)) : state.reading.dice.filter((d) => d.player === name && d.counts).map((d) => d.face);
  const known = judged === state.verdict && (state.byhand || state.reading);
  const rows = known ? state.players.map((player) => [player, of(player).sort((a, b) => b - a)]).filter(([, shown]) => shown.length) : [];
  if (rows.length) {
    return h(
      "ul",
      { class: "whosedice" },
      rows.map(([player, shown]) =>
        h("li", { key: player.name }, h("span", { class: "name", dir: "auto" }, player.name), h("span", { class: "faces" }, shown.map((face, n) => die(face, player.colour, { key: n, label: faceName(face, 1) })))),
      ),
    );
  }
  if (faces + pacos > MANY || faces + pacos === 0) return null;
  const drawn = [...Array(faces).fill(bid.face), ...Array(pacos).fill(1)];
  return h("p", { class: "faces" }, drawn.map((face, n) => die(face, "ivory", { key: n })));
}

// The books

function book({ state, store }, { rules, compare = "", uncompared = false }) {
  const differing = rules.rules.filter((rule) => rule.differs);
  const others = rules.books.filter(({ id }) => id !== rules.book.id);
  const shown = rules.compare ? differing : rules.rules;
  return [
    h("h3", { key: "title" }, textOf(rules.book.name)),
    h("p", { class: "quiet edition", key: "edition" }, `${textOf(rules.book.title)} (${textOf(rules.book.edition)})`),
    h("p", { key: "choices" }, state.calza ? say.calzaOn : say.calzaOff, " ", state.open_lost === false ? say.lostHidden : say.lostOpen),
    rules.rules.some((rule) => rule.changed) && h("p", { key: "house" }, mark(), " ", say.houseHint),
    h(
      "label",
      { class: "field", key: "compare" },
      h("span", {}, say.compareWith),
      h(
        "select",
        {
          value: compare,
          "data-compare": "",
          on: {
            change: ({ target }) => {
              change(store, { compare: target.value, uncompared: false });
              ask(store, target.value);
            },
          },
        },
        h("option", { key: "", value: "" }, say.compareNone),
        others.map(({ id, name }) => h("option", { key: id, value: id }, textOf(name))),
      ),
    ),
    uncompared && h("p", { class: "problem", key: "uncompared", role: "alert" }, say.noAnswer),
    rules.compare && h("p", { class: "differ", key: "differ", role: "status" }, differing.length ? say.differIn(differing.length, rules.rules.length) : say.sameRules),
    h("ul", { class: "rulelist", key: "list" }, shown.map((rule) => entry(rule, rules.compare))),
  ];
}

function entry({ rule, label, says, note, changed, written, theirs, differs }, compare) {
  return h(
    "li",
    { key: rule, "data-rule": rule, class: changed ? "changed" : "" },
    h("p", { class: "rulelabel" }, h("span", {}, textOf(label)), changed && mark()),
    differs
      ? h("dl", {}, h("dt", {}, say.here), h("dd", {}, textOf(says)), h("dt", {}, say.thereIn), h("dd", { title: textOf(compare.name) }, textOf(theirs)))
      : h("p", { class: "says" }, textOf(says)),
    changed && h("p", { class: "quiet" }, say.inTheBook(textOf(written))),
    note && !differs && h("p", { class: "quiet" }, textOf(note)),
  );
}

const mark = () => h("span", { class: "chip house" }, say.houseRule);

const shared = (rules) => [
  h("p", { class: "quiet", key: "hint" }, rules.rules.some((rule) => rule.changed) ? say.sharedHouse : say.sharedHint),
  h("ol", { class: "sharedlist", key: "list" }, rules.shared.map((sentence, n) => h("li", { key: n }, textOf(sentence)))),
];
