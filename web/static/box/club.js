// The club of this table: joining it by an invitation, who may be named there, leaving it, and what to do about two boxes in one place.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";

const WHOLE = /^https?:\/\/[^/?#]+\/join\/[0-9a-f]{8}\/?#[0-9a-f]{32}$/;
const NONE = { address: "", name: null, invited: false, said: "" }; // name: null until another than the machine's is typed

const mine = (store) => store.get().club || NONE;

/** Takes the invitation out of the address, so that it is not shared or kept in the history. */
export function takeInvitation(store) {
  const [, found] = /^#club=(.+)$/.exec(location.hash) || [];
  if (!found) return;
  history.replaceState(null, "", location.pathname + location.search);
  store.change({ club: { ...NONE, address: decoded(found), invited: true } });
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // nobody has encoded it
  }
}

/** Whether this page was opened by an invitation that is not used yet. */
export const invited = (store) => mine(store).invited;

/** The section of the page. */
export function clubPart(ctx) {
  const { now, host, store } = ctx;
  if (!now.club) return null;
  const inside = now.club.title ? member(ctx) : host ? joining(ctx) : invited(store) && h("p", { key: "host" }, word.box.club.hostOnly);
  const twice = now.club.taken_over && twoBoxes(ctx);
  return (inside || twice) && h("section", { class: "card club", key: "club", id: "club" }, h("h2", {}, word.box.club.title), twice, inside);
}

const twoBoxes = ({ host, store }) =>
  h(
    "div",
    { class: "twoboxes", key: "twice" },
    h("p", { class: "problem", role: "alert" }, word.box.club.takenOver),
    host && button("go second", () => store.change({ sheet: { kind: "secondbox" } }), { key: "second" }, word.box.club.second),
  );

/** The sheet before this box becomes another one than the one whose files it has: its title and content. */
export function secondBoxSheet({ now, act }, _, close) {
  const clubWord = word.box.club;
  const go = async () => {
    if (await act("second")) close();
  };
  return [
    clubWord.second,
    h(
      "div",
      { class: "asked" },
      h("p", {}, clubWord.secondHint),
      now.playing && h("p", { class: "problem" }, word.box.backup.playing),
      h("div", { class: "row" }, button("go", go, { disabled: now.playing || null }, clubWord.second), button("plain", close, {}, word.box.backup.cancel)),
    ),
  ];
}

// In no club

// What is typed is kept in the store, so that the next answer of the box does not lose it.
function joining({ now, act, store, toast }) {
  const clubWord = word.box.club;
  const { address, name: typed, said, invited: led } = mine(store);
  const name = typed === null ? now.name : typed;
  const change = (part) => store.change({ club: { ...mine(store), said: "", ...part } });
  const busy = store.get().busy === "box/club";
  const join = async (event) => {
    event.preventDefault();
    const filled = mine(store); // at the tap, not at the last drawing
    const address = filled.address.trim();
    if (!WHOLE.test(address)) {
      change({ said: clubWord.notWhole });
      return;
    }
    if (!(await act("club", { address, name: (filled.name || "").trim() || now.name }))) return;
    store.change({ club: NONE });
    toast(clubWord.joined(store.get().now.club.title));
  };
  return h(
    "form",
    { class: "gameform", key: "joining", novalidate: true, autocomplete: "off", on: { submit: join } },
    h("p", { class: "quiet" }, clubWord.what),
    field(clubWord.address, { class: "invitation", dir: "ltr", inputmode: "url", maxlength: 300, value: address, autocapitalize: "none", spellcheck: "false", on: { input: ({ target }) => change({ address: target.value }) } }),
    field(clubWord.table, { class: "tablename", dir: "auto", maxlength: 40, value: name, spellcheck: "false", on: { input: ({ target }) => change({ name: target.value }) } }),
    said && h("p", { class: "problem", key: "said", role: "alert" }, said),
    h("button", { type: "submit", class: "go join", key: led ? "led" : "join", disabled: busy || !address.trim(), mount: led ? focused : null }, busy ? clubWord.joining : clubWord.join),
  );
}

const field = (label, props) => h("label", { class: "field", key: label }, h("span", {}, label), h("input", { type: "text", ...props }));

const focused = (element) => requestAnimationFrame(() => element.isConnected && element.focus());

// In a club

function member(ctx) {
  const { now, host, store } = ctx;
  const clubWord = word.box.club;
  const { title, table, online, refused, taken_over: twice, names } = now.club;
  return [
    h("p", { class: "where", key: "where" }, clubWord.member(title, table)),
    (online || !twice) && h("p", { class: "quiet", key: "line" }, online ? clubWord.there : refused ? clubWord.refused : clubWord.away),
    invited(store) && h("p", { class: "problem", key: "invited" }, clubWord.first(title)),
    host ? naming(ctx) : h("p", { key: "named" }, names.length ? clubWord.named(names) : clubWord.nobodyNamed),
    // To leave would take the other box out, too.
    host && !twice && button("plain leaveclub", () => store.change({ sheet: { kind: "leaveclub" } }), { key: "leave" }, clubWord.leave),
  ];
}

let looked = null; // whether a game was going on when this page last asked who plays

// The players of the game, or of the last one.
async function look(store, playing) {
  if (looked === playing) return;
  looked = playing;
  try {
    const answer = await fetch("/api/v1/state", { cache: "no-store" });
    const { players, company } = await answer.json();
    store.change({ players: (players.length || !company ? players : company.players).map(({ name }) => name) });
  } catch {
    looked = null; // asked again with the next answer of the box
  }
}

// Every switch sends all names: `named` are those that this phone has chosen and the box has not confirmed yet.
function naming({ now, act, store }) {
  const clubWord = word.box.club;
  setTimeout(() => look(store, now.playing)); // not while the page is drawn
  const { players, named } = store.get();
  const chosen = named || now.club.names;
  const shown = [...new Set([...(players || []), ...chosen])];
  const set = async (name, may) => {
    const next = [...new Set([...(store.get().named || now.club.names), name])].filter((each) => may || each !== name);
    store.change({ named: next, players: shown }); // who is not named any more stays in the list
    await act("club/names", { names: next });
    if (store.get().named === next) store.change({ named: null });
  };
  return h(
    "div",
    { class: "naming", key: "naming", role: "group", "aria-label": clubWord.names },
    h("h3", {}, clubWord.names),
    h("p", { class: "quiet" }, shown.length ? clubWord.namesHint : clubWord.noPlayers),
    shown.map((name) =>
      h(
        "label",
        { class: "field check", key: name },
        h("input", { type: "checkbox", checked: chosen.includes(name), "data-named": name, on: { change: ({ target }) => set(name, target.checked) } }),
        h("span", {}, h("bdi", {}, clubWord.mayBeNamed(name))),
      ),
    ),
  );
}

/** The sheet before the table leaves the club: its title and content. */
export function leaveClubSheet({ now, act }, _, close) {
  const clubWord = word.box.club;
  const leave = async () => {
    if (await act("club/leave")) close();
  };
  return [
    clubWord.leaveAsk(now.club.title),
    h("div", { class: "asked" }, h("p", {}, clubWord.leaveHint), h("div", { class: "row" }, button("go danger", leave, {}, clubWord.leave), button("plain", close, {}, clubWord.stay))),
  ];
}
