// The lobby's tab of tournaments: all of them, and for a manager the form of a new one.

import { h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { choice, field, form, refusal } from "../manager/form.js";
import { MEMBERS, memberDesk } from "../manager/members.js";
import { INVITE, tableInvitation } from "../manager/invite.js";
import { MANAGER, managerDoor } from "../manager/door.js";
import { DESK } from "../manager/desk.js";
import { factsOf } from "./names.js";
import { outcomeOf } from "./standings.js";

const LONGEST_TITLE = 60; // characters
const MOST_ROUNDS = 20;
const EXAMPLE = 17; // players, and how they sit by the wish: companion/club/tournament/table_sizes.py
const SEATED = { 4: "4 + 4 + 3 + 3 + 3", 5: "5 + 4 + 4 + 4", 6: "6 + 6 + 5" };
const FIRST = { title: "", format: "swiss", rounds: 5, table_size: 5, qualifiers: 2 };

/** The tab's part of the lobby's store. */
export const TOURNAMENTS = { opening: FIRST, ...DESK, ...MANAGER, ...INVITE, ...MEMBERS };

const upTo = (first, last) => Array.from({ length: last - first + 1 }, (_, n) => [first + n, first + n]);

/** The tab. */
export function tournamentTab(value, store, desk) {
  const { tournaments, club } = value;
  const manages = club && club.manager;
  return [
    tournaments.length
      ? h("ul", { class: "gamelist", key: "tournaments" }, tournaments.map(outline))
      : h("p", { class: "card quiet", key: "none" }, word.tournaments.none),
    manages && opening(value, store, desk),
    manages && tableInvitation(value, store, desk),
    manages && memberDesk(value, store, desk),
    managerDoor(value, store, desk),
  ];
}

const outline = (each) =>
  h(
    "li",
    { key: each.tournament },
    h("a", { class: "plain pastgame", href: `/tournament?n=${each.tournament}`, "data-tournament": each.tournament }, h("strong", {}, h("bdi", {}, each.title)), outcomeOf(each) && h("span", { class: "outcome", key: "outcome" }, h("bdi", {}, outcomeOf(each))), h("small", { class: "quiet" }, factsOf(each))),
  );

function opening(value, store, desk) {
  const { opening: wanted, busy, tournaments } = value;
  const choose = (name, change = Number) => ({ "data-item": name, on: { change: ({ target }) => store.change({ opening: { ...store.get().opening, [name]: change(target.value) } }) } });
  const open = async () => {
    const { opening: typed } = store.get();
    const answer = await desk.post("open", "tournaments", { ...typed, title: typed.title.trim() });
    if (answer) location.href = `/tournament?n=${answer.tournament}`;
  };
  const { format } = wanted;
  return h(
    "details",
    { class: "card folded", key: "open", open: tournaments.length === 0 || wanted !== FIRST }, // what somebody is filling in does not fold
    h("summary", {}, h("h2", {}, word.tournaments.open)),
    form(
      "open",
      open,
      field("title", word.tournaments.title, h("input", { type: "text", required: true, maxlength: LONGEST_TITLE, autocomplete: "off", value: wanted.title, "data-item": "title", on: { input: ({ target }) => store.change({ opening: { ...store.get().opening, title: target.value } }) } })),
      field("format", word.tournaments.format, choice(choose("format", String), format, Object.entries(word.tournaments.formats)), word.tournaments.formatHints[format]),
      h(
        "div",
        { class: "row", key: "numbers" },
        format !== "knock-out" && field("rounds", word.tournaments.roundCount, choice(choose("rounds"), wanted.rounds, upTo(1, MOST_ROUNDS))),
        field("size", word.tournaments.tableSize, choice(choose("table_size"), wanted.table_size, upTo(4, 6))),
        format === "knock-out" && field("qualifiers", word.tournaments.qualifiers, choice(choose("qualifiers"), wanted.qualifiers, upTo(1, 3))),
      ),
      h("small", { class: "quiet", key: "sizes" }, word.tournaments.tableSizeHint(wanted.table_size, word.tournaments.players(EXAMPLE), SEATED[wanted.table_size])),
      refusal(value, "open"),
      h("button", { class: "go", type: "submit", disabled: busy, "data-item": "open" }, word.tournaments.open),
    ),
  );
}
