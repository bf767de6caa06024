// The review of a past game: the chances of winning round by round, the decisions that mattered most, the luckiest reveal, luck
// and skill, and puzzles.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { faceName, language, say, word } from "../languages/language.js";
import { percent } from "./highlights.js";

const [WIDE, HIGH] = [300, 120]; // of the bars

const words = () => word.past.review;
const bidOf = ({ count, face }) => `${count} ${faceName(face, count)}`;
const points = (chance) => {
  const rounded = Math.round(chance * 100) || 0;
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded).toLocaleString(language)}`;
};

/** The review of the API. `colours`: of the players, by name; `mine`: this phone's player; `puzzle`: the one that is open, {n, chosen}; `change(puzzle)` opens another. */
export function reviewView(review, { colours, mine, puzzle = { n: 0, chosen: null }, change }) {
  if (!review.players.length) return h("p", { class: "quiet", key: "none" }, words().none);
  return [
    review.rounds.length > 0 && chances(review, colours),
    review.unweighed > 0 && h("p", { class: "quiet", key: "unweighed" }, words().unweighed),
    decisions(review.decisions, mine),
    review.luckiest && luckiest(review.luckiest),
    players(review.players),
    review.puzzles.length > 0 && puzzles(review.puzzles, puzzle, change, colours),
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

// What mattered most

const called = ({ kind, count, face }) => words().calls[kind](kind === "pass" ? "" : bidOf({ count, face }));

const MOST = 3;

// This phone's player asks what to have done: own decisions come first.
function decisions(all, mine) {
  const found = [...all.filter(({ player }) => player === mine), ...all.filter(({ player }) => player !== mine)].slice(0, MOST);
  return section("decisions", words().decisions, found.length ? found.map(decision) : h("p", { class: "quiet" }, words().faultless));
}

function decision({ round, player, made, own, bids, true: came, grade, best }, n) {
  const dudo = made.kind === "dudo";
  const chance = (holds) => percent(dudo ? 1 - holds : holds);
  const foreseen = made.kind === "bid" ? words().holds : words().right;
  return h(
    "article",
    { class: `reviewed ${grade}`, key: n },
    h("p", { class: "callhead" }, h("span", { class: "quiet who-is" }, say.round(round)), h("span", { class: `grade ${grade}` }, words().grades[grade])),
    h("p", { class: "did" }, h("bdi", {}, words().did[made.kind](player, bidOf(made)))),
    h("p", {}, foreseen(chance(own), chance(bids)), " ", words().came[made.kind === "bid" ? "bid" : "call"][came !== dudo ? "yes" : "no"]),
    h("p", {}, words().better(called(best), percent(made.wins), percent(best.wins))),
  );
}

function luckiest({ caller, kind, bid, right, likely, joker }) {
  const told = right ? words().luckyCall(words().did[kind](caller, bidOf(bid)), percent(likely)) : words().luckyBid(words().did.bid(bid.player, bidOf(bid)), percent(likely));
  return section("luckiest", words().luckiest, h("p", {}, h("bdi", {}, told), joker && h("strong", { class: "joker" }, ` ${words().joker}`)));
}

// Each player

function players(found) {
  const rows = found.map((each) => [each.name, [points(each.luck), points(each.skill), `${each.errors} / ${each.blunders}`, `${each.bluffs} / ${each.bids}`]]);
  return section(
    "players",
    words().players,
    h(
      "table",
      { class: "figures" },
      h("caption", { class: "quiet" }, words().playersMean),
      h("thead", {}, h("tr", {}, h("td"), words().columns.map((title, n) => h("th", { key: n, scope: "col" }, title)))),
      h("tbody", {}, rows.map(([name, values]) => h("tr", { key: name }, h("th", { scope: "row" }, h("bdi", {}, name)), values.map((value, n) => h("td", { key: n }, value))))),
    ),
  );
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
