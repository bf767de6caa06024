// The review of a past game: what a player decided, the chances of winning round by round, the luckiest reveal, luck and skill,
// and puzzles.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { faceName, say, word } from "../languages/language.js";
import { oneIn, percent } from "./highlights.js";

const [WIDE, HIGH] = [300, 120]; // of the bars

const words = () => word.past.review;
const bidOf = ({ count, face }) => `${count} ${faceName(face, count)}`;

/**
 * The review of the API. `colours`: of the players, by name; `mine`: this phone's player; `of`: whose decisions are shown;
 * `puzzle`: the one that is open, {n, chosen}; `change({of, puzzle})` opens others.
 */
export function reviewView(review, { colours, mine, of = mine, puzzle = { n: 0, chosen: null }, change }) {
  if (!review.players.length) return h("p", { class: "quiet", key: "none" }, words().none);
  return [
    decisions(review, { mine, of, change }),
    review.rounds.length > 0 && chances(review, colours),
    review.unweighed > 0 && h("p", { class: "quiet", key: "unweighed" }, words().unweighed),
    review.rounds.length > 0 && luckAndSkill(review.players),
    review.luckiest && luckiest(review.luckiest),
    review.puzzles.length > 0 && puzzles(review.puzzles, puzzle, (next) => change({ puzzle: next }), colours),
    h("p", { class: "quiet", key: "limits" }, words().limits),
  ];
}

const section = (key, title, ...content) => h("section", { class: "chart", key }, h("h3", {}, title), ...content);

// A bar a round

const fill = (colour, n) => `share ${colour || `of-${n % 6}`}`;

function chances({ rounds, players }, colours) {
  const wide = WIDE / rounds.length;
  const bars = rounds.map(({ wins }, at) => {
    let top = 0;
    return wins.map((chance, n) => {
      const y = top;
      top += chance * HIGH;
      return h("rect", { class: fill(colours[players[n].name], n), x: at * wide, y, width: Math.max(1, wide - 1.5), height: chance * HIGH, key: `${at} ${n}` });
    });
  });
  const told = rounds.map(({ round, wins }) => say.pair(round ? word.past.inRound(round) : words().end, players.map(({ name }, n) => `${name} ${percent(wins[n])}`)));
  return section(
    "chances",
    words().chances,
    h("p", { class: "quiet" }, words().chancesMean),
    h("svg", { class: "chances", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": told.join("; ") }, bars),
    h("ul", { class: "legend" }, players.map(({ name }, n) => h("li", { key: name }, h("svg", { class: "key", viewBox: "0 0 28 8", "aria-hidden": "true" }, h("rect", { class: fill(colours[name], n), width: 28, height: 8 })), h("bdi", {}, name)))),
  );
}

// What a player decided

const called = ({ kind, count, face }) => words().calls[kind](kind === "pass" ? "" : bidOf({ count, face }));

const EVEN = 0.5; // a chance that is called good
const OF = 10; // times, which tell a chance
const MOST_COSTLY = 3; // decisions, beside the good calls

// A phone's own player first, and only that one; nobody's where it has none.
function decisions({ decisions: all, players }, { mine, of, change }) {
  const player = players.find(({ name }) => name === of);
  const own = all.filter((each) => each.player === of); // the costliest first
  const found = own.filter(({ grade }, n) => n < MOST_COSTLY || grade === "fine").sort((a, b) => a.round - b.round);
  return h(
    "section",
    { class: "chart decisions", key: "decisions" },
    player && (found.length ? found.map((each, n) => decision(each, mine, n)) : h("p", { class: "quiet", key: "none" }, words().faultless)),
    player && player.bids > 0 && h("p", { class: "quiet", key: "bluffs" }, words().bluffs(player.bluffs, player.bids)),
    h(
      "div",
      { class: "choices", role: "group", "aria-label": words().decisions, key: "whose" },
      players.map(({ name }) => button("plain choice", () => change({ of: name }), { key: name, "data-of": name, "aria-pressed": String(name === of) }, h("bdi", {}, name))),
    ),
  );
}

function decision({ round, player, made, bidder, bids, true: came, grade, best }, mine, key) {
  const dudo = made.kind === "dudo";
  const right = dudo ? 1 - bids : bids;
  const did = player === mine ? words().you[made.kind](bidOf(made), bidder) : words().did[made.kind](player, bidOf(made), bidder);
  const times = words().times(Math.round(right * OF));
  const judged = grade !== "fine" ? `${times}.` : words()[right < EVEN ? "best" : "good"](times);
  return h(
    "article",
    { class: `reviewed ${grade}`, key },
    h("p", { class: "did" }, h("bdi", {}, say.pair(did, judged))),
    h("p", {}, h("span", { class: "quiet" }, say.round(round)), " · ", words().came[came !== dudo ? "yes" : "no"], grade !== "fine" && ` ${words().better(called(best))}`),
  );
}

function luckiest({ caller, kind, bid, right, likely, joker }) {
  const told = right ? words().luckyCall(words().did[kind](caller, bidOf(bid), bid.player), oneIn(likely)) : words().luckyBid(words().did.bid(bid.player, bidOf(bid)), oneIn(likely));
  return section("luckiest", words().luckiest, h("p", {}, h("bdi", {}, told), joker && h("strong", { class: "joker" }, ` ${words().joker}`)));
}

// Who had most of both

function luckAndSkill(players) {
  const most = (measure) => players.reduce((one, other) => (other[measure] > one[measure] ? other : one)).name;
  const line = (title, name) => h("p", { key: title }, h("bdi", {}, say.pair(title, name)));
  return section("players", words().players, line(words().mostLuck, most("luck")), line(words().bestDecisions, most("skill")));
}

// Puzzles

function puzzles(found, { n, chosen }, change, colours) {
  const { round, player, hand, dice, bids, wild, calls, best, made } = found[n];
  const colour = colours[player] || "ivory";
  const done = chosen !== null;
  const answer = (call, place) => {
    const right = done && place === best;
    return button(
      `plain answer${right ? " right" : done && place === chosen ? " wrong" : ""}`,
      () => !done && change({ n, chosen: place }),
      { key: `${n} ${place}`, "data-answer": place, "aria-disabled": done ? "true" : null },
      h("span", {}, called(call)),
      done && h("span", { class: "figure" }, [place === made && words().played, percent(call.wins)].filter(Boolean).join(" · ")),
    );
  };
  return section(
    "puzzles",
    words().puzzles,
    h("p", { class: "quiet" }, [words().puzzle(n + 1, found.length), word.past.inRound(round), !wild && words().notWild].filter(Boolean).join(" · ")),
    h("p", { class: "handof" }, h("bdi", {}, words().hand(player)), h("span", { class: "handdice", role: "img", "aria-label": hand.map((face) => faceName(face)).join(", ") }, hand.map((face, at) => die(face, colour, { key: at })))),
    h("p", {}, dice.filter(([name]) => name !== player).map(([name, count], at) => `${at ? ", " : ""}${say.pair(name, say.dice(count))}`)),
    h("ol", { class: "heard" }, bids.map((bid, at) => h("li", { key: at }, h("bdi", {}, words().did.bid(bid.player, bidOf(bid)))))),
    h("p", { class: "ask" }, words().ask(player)),
    h("div", { class: "answers" }, calls.map(answer)),
    h("p", { role: "status" }, done ? words().answer[chosen === best ? "right" : "wrong"] : ""),
    found.length > 1 && button("plain", () => change({ n: (n + 1) % found.length, chosen: null }), { key: "next", "data-item": "next-puzzle" }, words().next),
  );
}
