// The game in a few cards to swipe, drawn as the page draws it and by the rules in play; the last one asks.

import { bidSign, die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { loadStyle } from "../core/lazy.js";
import { hasRule } from "../game/legal-bids.js";
import { firstScreen } from "../game/lazy-views.js";
import { diceEach } from "../game/players.js";
import { livePicture } from "../picture/live-picture.js";
import { faceRows } from "../reveal/face-rows.js";
import { faceName, loadWords, say, word } from "../languages/language.js";
import { ASKED, BIDDER, TOLD, YOU, judgedRound, pacosWild } from "./example.js";
import { reckoned } from "./reckoning.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** Settles with the sheet, once its words and its style sheets are there. */
export async function ready() {
  const dice = loadStyle(new URL("../reveal/show.css", import.meta.url));
  await Promise.all([loadWords("lesson"), dice, loadStyle(new URL("lesson.css", import.meta.url))]);
  return { sheet };
}

/** [title, content]; `opened.at` is the card in sight, `opened.answer` what was answered on the last one. */
function sheet(ctx, opened, close) {
  const { state, store } = ctx;
  const cards = [hidden(state), pacos(state), onTurn(state, opened.raises), toPacos(state), dudo(state), seldom(state), question(ctx, opened)].filter(Boolean);
  const at = Math.min(opened.at || 0, cards.length - 1);
  const last = at === cards.length - 1;
  const turn = (by) => ({ currentTarget }) => {
    const row = currentTarget.closest(".lesson").querySelector(".cards");
    row.scrollTo({ left: (inSight(row) + by) * row.clientWidth, behavior: STILL.matches ? "auto" : "smooth" });
  };
  return [
    say.howToPlay,
    h(
      "div",
      { class: "lesson", key: "lesson", mount: () => askRaises(store) },
      h(
        "ol",
        { class: "cards", key: "cards", tabindex: 0, "aria-label": say.howToPlay, on: { scroll: ({ currentTarget }) => change(store, { at: inSight(currentTarget) }) } },
        cards.map(({ key, title, picture, text }) =>
          h("li", { key, "data-card": key }, h("div", { class: "cardpicture", key: "picture" }, picture), h("div", { class: "cardtext", key: "text" }, h("h3", {}, title), text)),
        ),
      ),
      h("p", { class: "hidden", key: "said", role: "status" }, at ? `${at + 1}/${cards.length}: ${cards[at].title}` : ""),
      h(
        "div",
        { class: "lessonfoot", key: "foot" },
        h("p", { class: "dots", "aria-hidden": "true", key: "dots" }, cards.map(({ key }, n) => h("i", { key, class: n === at ? "here" : "" }))),
        button("icon back", turn(-1), { key: "back", "aria-label": say.goBack, "aria-disabled": at ? null : "true" }, "‹"),
        last
          ? firstScreen(ctx, "begin") || button("go done", close, { key: "done" }, word.lesson.done)
          : button("go onward", turn(1), { key: "next" }, word.lesson.next),
      ),
    ),
  ];
}

// The card that a row shows; while it turns, the nearer one.
const inSight = (row) => Math.round(row.scrollLeft / row.clientWidth);

// Merge `part` into the sheet, which may have been closed meanwhile.
function change(store, part) {
  const { sheet: now } = store.get();
  const same = now && Object.entries(part).every(([name, value]) => now[name] === value);
  if (now && now.kind === "lesson" && !same) store.change({ sheet: { ...now, ...part } });
}

const words = (...sentences) => sentences.map((sentence, n) => h("p", { key: n }, sentence));
const row = (cls, ...content) => h("p", { class: `signs ${cls}`, key: cls }, content);
const ownDice = (faces) => faces.map((face, n) => die(face, "red", { key: n, label: faceName(face, 1) }));

// 1: what is bid on.
function hidden(state) {
  const { players, byhand } = judgedRound(state, TOLD);
  const [you, ...others] = players;
  const { count, face } = TOLD.bid;
  const each = diceEach(state);
  return {
    key: "hidden",
    title: word.lesson.hiddenTitle,
    picture: [
      livePicture({ players: [...others, you] }, { live: false }), // the last cup stands nearest
      row("own", h("span", { class: "whose" }, YOU, " ", h("span", { class: "you" }, say.you)), ownDice(byhand[YOU])),
    ],
    text: words(word.lesson.hidden(each, each * players.length, count, face)),
  };
}

// 2: what a paco counts as.
function pacos(state) {
  const wild = pacosWild(state);
  const { face } = TOLD.bid;
  const counted = bidSign({ count: wild ? 3 : 2, face });
  return {
    key: "pacos",
    title: wild ? word.lesson.wildTitle : word.lesson.tameTitle,
    picture: [die(1, "ivory", { cls: "sign" }), row("adds", ownDice([face, face]), die(1, "red", { cls: wild ? "" : "struck", label: faceName(1, 1) }), h("span", {}, "="), counted)],
    text: words(wild ? word.lesson.wild(3, face) : word.lesson.tame(2, face)),
  };
}

// How a bid is raised in the book that is played; the state has only what the house changes in it.
async function askRaises(store) {
  try {
    const { rules } = await (await fetch("/api/v1/rules", { cache: "no-store" })).json();
    change(store, { raises: rules.find(({ rule }) => rule === "raises").value });
  } catch {
    // The card tells only how to doubt.
  }
}

// 3: what one may do on one's turn.
function onTurn(state, raises) {
  const { count, face } = TOLD.bid;
  return {
    key: "turn",
    title: word.lesson.turnTitle,
    picture: [
      row("lastbid", bidSign(TOLD.bid, "huge")),
      h("span", { class: "down", "aria-hidden": "true", key: "down" }, "↓"),
      row("ways-on", h("span", { class: "way" }, bidSign({ count: count + 1, face })), h("span", { class: "way" }, bidSign({ count, face: face + 1 })), h("span", { class: "way dudo" }, say.dudo)),
    ],
    text: words(word.lesson.raise[raises] || "", hasRule(state, "dudo_by", "anyone") ? word.lesson.anyoneDoubts : word.lesson.doubts),
  };
}

const [MANY, PACOS] = [7, 4]; // dice in the two bids that are raised to pacos, and from them

// 4: how many pacos count as more, if they are not bid like any face.
function toPacos(state) {
  if (!pacosWild(state)) return null;
  const { face } = TOLD.bid;
  const half = hasRule(state, "half_rounded", "down") ? Math.floor(MANY / 2) : Math.ceil(MANY / 2);
  const more = !hasRule(state, "leaving_pacos", "twice");
  const back = 2 * PACOS + Number(more);
  const step = (cls, from, to) => row(cls, h("span", { class: "way" }, bidSign(from)), h("span", { "aria-hidden": "true" }, "→"), h("span", { class: "way" }, bidSign(to)));
  return {
    key: "topacos",
    title: word.lesson.pacosTitle,
    picture: [step("half", { count: MANY, face }, { count: half, face: 1 }), step("twice", { count: PACOS, face: 1 }, { count: back, face })],
    text: words(word.lesson.toPacos(MANY, face, half), word.lesson.fromPacos(PACOS, back, face, more)),
  };
}

// 5: what a dudo costs.
function dudo(state) {
  const round = judgedRound(state, TOLD);
  const { caller, bidder, correct, loses, lost } = round.verdict;
  const pays = correct ? say.stepBidderPays(loses, caller, lost) : say.stepCallerPays.dudo(loses, lost);
  return {
    key: "dudo",
    title: hasRule(state, "dudo_costs", "difference") ? word.lesson.differenceTitle : word.lesson.dudoTitle,
    picture: [row("said", h("span", {}, say.pair(bidder, "")), bidSign(TOLD.bid), h("span", { class: "way dudo" }, say.pair(caller, say.dudo))), faceRows({ state: round })],
    text: words(reckoned(round.verdict), h("span", {}, pays, " ", word.lesson.wins)),
  };
}

// 6: what comes up seldom, if it can.
function seldom(state) {
  const calza = state.calza && {
    sign: row("calza", bidSign(TOLD.bid), h("span", { class: "way calza" }, say.calza)),
    text: hasRule(state, "right_calza", "bidder-loses") ? word.lesson.calzaCosts : word.lesson.calza,
  };
  const lost = Array.from({ length: diceEach(state) - 1 }, (_, n) => h("i", { key: n, class: "mini large red goes" }));
  const palifico = !hasRule(state, "palifico_rounds", "never") && {
    sign: row("palifico", h("i", { class: "mini large red" }), lost),
    text: pacosWild(state) ? word.lesson.palifico : word.lesson.palificoTame,
  };
  const there = [calza, palifico].filter(Boolean);
  if (!there.length) return null;
  return {
    key: "seldom",
    title: there.length > 1 ? word.lesson.seldomTitle : calza ? say.calza : say.palificoShort,
    picture: there.map(({ sign }) => sign),
    text: words(...there.map(({ text }) => text)),
  };
}

// 7: a bid, and what lay under the cups.
function question({ state, store }, { answer }) {
  const round = judgedRound(state, ASKED);
  const { bid, correct } = round.verdict;
  const said = answer !== undefined;
  const choice = (holds, word) =>
    button(`plain choice${said && holds === !correct ? " isright" : ""}`, () => change(store, { answer: holds }), { key: String(holds), "data-answer": String(holds), "aria-pressed": String(answer === holds) }, word);
  return {
    key: "question",
    title: word.lesson.question,
    picture: [row("said", h("span", {}, say.pair(BIDDER, "")), bidSign(bid)), faceRows({ state: said ? round : { ...round, verdict: null } })],
    text: [
      h("div", { class: "askrow", key: "answers" }, choice(true, word.lesson.yes), choice(false, word.lesson.no)),
      h("p", { class: "told", key: "told", role: "status" }, said ? `${answer === !correct ? word.lesson.right : word.lesson.wrong} ${reckoned(round.verdict)}` : ""),
    ],
  };
}
