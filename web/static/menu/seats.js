// Who this phone is, who sits where with which phone, and what the host may change.

import { button, h } from "../core/dom.js";
import { isRobot, own, seatTaken } from "../core/identity.js";
import { choose, settings } from "../core/settings.js";
import { demoOf } from "../game/lazy-views.js";
import { say, textOf } from "../languages/language.js";

/** Everybody who has a seat, with the colour if it is known: `[{name, colour}]`, in the order of the seats. */
function company(state, me) {
  const known = new Map();
  for (const { name, colour } of [...(state.company ? state.company.players : []), ...state.players]) known.set(name, colour);
  const names = Object.keys(me.seats);
  return (names.length ? names : [...known.keys()]).map((name) => ({ name, colour: known.get(name) || "" }));
}

/** [title, content]: who this phone is, or who sits where; `opened` is the sheet. */
export function sheet(ctx, opened, close) {
  const { state, store } = ctx;
  const { me } = store.get();
  const open = (more) => store.change({ sheet: { kind: "who", ...more } });
  const take = taking(ctx);
  if (opened.page === "hand" && me.host) return handing(ctx, opened, take, open);
  if (opened.page === "host" && me.joined) return hosting(me, take, open);
  if (opened.page === "phones" && me.host) return others(me, take, open);
  const mine = own(me);
  const players = company(state, me);
  return [
    me.role === null ? say.whoAreYou : say.whoSits,
    h(
      "div",
      { class: "asked who-are-you", key: "page-seats" },
      me.role === null && "AudioContext" in window && sounds(),
      h(
        "ul",
        { class: "seatlist" },
        players.map((each) => seat(ctx, each, { mine, take, open, close })),
      ),
      h(
        "div",
        { class: "roles" },
        role(me, "watching", mine ? say.giveUpSeat : say.justWatching, "", () => take("seat", { role: "watching" }, close)),
        role(me, "table", say.tablet, say.tabletHint, () => take("seat", { role: "table" }, close)),
      ),
      me.role === null && demoOf(ctx, "welcome"),
      h(
        "p",
        { class: "quiet thisphone" },
        me.host && [say.youHost, " "],
        (me.host || !me.phones.some(({ host, gone }) => host && !gone)) && button("link", () => open({ page: "host" }), { key: "host" }, me.host ? say.handHost : say.takeHost),
        me.host && me.phones.length > 1 && button("link", () => open({ page: "phones" }), { key: "phones" }, say.otherPhones),
      ),
    ),
  ];
}

// Sounds are off, and asked for once.
const sounds = () =>
  h(
    "div",
    { class: "toggle", key: "sounds" },
    h(
      "label",
      { class: "field check" },
      h("input", { type: "checkbox", checked: settings().sound, on: { change: ({ target }) => choose({ sound: target.checked }) } }),
      h("span", {}, h("span", { class: "switchname" }, say.switches.sound), h("span", { class: "quiet" }, say.soundHint)),
    ),
  );

// Ask for something, and say a refusal.
const taking = ({ ask, toast }) => async (path, body, then = () => {}) => {
  const { ok, said } = await ask(path, body);
  if (ok) then();
  else toast(textOf(said) || say.refused, "refused");
};

/** The seats that no phone has, watching, and whether this phone sounds. */
export function freeSeats(ctx) {
  const { me } = ctx.store.get();
  const take = taking(ctx);
  const free = company(ctx.state, me).filter(({ name }) => !seatTaken(me, name));
  return [h("ul", { class: "seatlist", key: "free" }, free.map((each) => seat(ctx, each, { take }))), role(me, "watching", say.justWatching, "", () => take("seat", { role: "watching" })), "AudioContext" in window && sounds()];
}

function seat(ctx, { name, colour }, { mine = null, take, open, close }) {
  const { me } = ctx.store.get();
  const robot = isRobot(me, name) && demoOf(ctx, "robotSeat", name);
  const other = seatTaken(me, name);
  const is = mine === name;
  return h(
    "li",
    { key: name, class: `seatline${is ? " own" : ""}` },
    h(
      "button",
      {
        type: "button",
        class: `who${is ? " chosen" : ""}${other ? " gone" : ""}`,
        "data-seat": name,
        "aria-disabled": other ? "true" : null,
        "aria-pressed": String(is),
        on: { click: () => (is ? close() : take("seat", { role: "player", player: name }, close)) },
      },
      h("i", { class: `mini large ${colour}` }),
      h("span", { class: "whotext" }, h("bdi", {}, name), (is || other || robot) && h("small", {}, is ? say.thisPhone : robot || say.phoneOf(name))),
    ),
    me.host &&
      me.role !== null &&
      me.phones.length > 1 &&
      button("plain handbutton", () => open({ page: "hand", player: name }), { key: "hand", "data-hand": name }, say.hand, h("bdi", { class: "hidden" }, ` ${name}`)),
  );
}

const role = (me, kind, text, hint, tap) =>
  button(
    `plain role${me.role === kind ? " chosen" : ""}`,
    tap,
    { key: kind, "data-role": kind, "aria-pressed": String(me.role === kind) },
    h("span", {}, text),
    hint && h("small", {}, hint),
  );

// The host hands a seat to a phone.
function handing({ state, store }, { player }, take, open) {
  const { me } = store.get();
  const colour = (company(state, me).find(({ name }) => name === player) || {}).colour;
  return [
    say.handTo(player),
    h(
      "div",
      { class: "asked", key: "page-hand" },
      h("i", { class: `mini large ${colour}` }),
      phones(me, ({ phone }) => take("seat/hand", { player, phone }, () => open({})), (each) => each.player === player),
      button("plain", () => open({}), { key: "back" }, say.goBack),
    ),
  ];
}

// Makes another phone the host's.
function hosting(me, take, open) {
  const host = (phone) => take("host", { host: phone }, () => open({}));
  return [
    me.host ? say.handHost : say.takeHost,
    h(
      "div",
      { class: "asked", key: "page-host" },
      h("p", { class: "quiet" }, say.hostHint, me.host ? "" : ` ${say.takeHostHint}`),
      me.host
        ? phones(me, ({ phone }) => host(phone), (each) => each.host)
        : button("go", () => host(me.phone), { key: "take" }, say.takeHost),
      button("plain", () => open({}), { key: "back" }, say.goBack),
    ),
  ];
}

// What the host may do about a phone that disturbs.
function others(me, take, open) {
  const again = () => open({ page: "phones" });
  return [
    say.otherPhones,
    h(
      "div",
      { class: "asked", key: "page-phones" },
      h("p", { class: "quiet" }, say.otherPhonesHint),
      me.phones
        .filter(({ phone }) => phone !== me.phone)
        .map((each) =>
          h(
            "div",
            { class: "row otherphone", key: each.phone, "data-phone": each.phone },
            h("p", {}, h("strong", { class: "phonename" }, h("bdi", {}, nameOf(me, each)))),
            button("plain", () => take("phones/hold", { phone: each.phone, held: !each.held }, again), { key: "hold" }, each.held ? say.mayAct : say.onlyWatch),
            button("plain", () => take("phones/out", { phone: each.phone }, again), { key: "out" }, say.turnOut),
          ),
        ),
      button("plain", () => open({}), { key: "back" }, say.goBack),
    ),
  ];
}

const phones = (me, tap, is) =>
  h(
    "div",
    { class: "whobuttons phones", key: "phones" },
    me.phones.map((each) =>
      button(
        `who${is(each) ? " chosen" : ""}`,
        () => tap(each),
        { key: each.phone, "data-phone": each.phone, "aria-pressed": String(is(each)) },
        h("strong", { class: "phonename" }, h("bdi", {}, nameOf(me, each))),
        each.phone === me.phone && h("small", {}, say.thisPhone),
      ),
    ),
  );

// What a phone is called: by its player, the one it had before, or what it does; phones that would be called alike are numbered.
function nameOf({ phones: all }, phone) {
  const called = ({ role: is, player, had }) => (player ? say.phoneOf(player) : had ? say.secondPhone(had) : is === "table" ? say.isTablet : is === "watching" ? say.isWatching : say.noSeat);
  const alike = all.filter((each) => called(each) === called(phone));
  return alike.length > 1 ? `${called(phone)} ${alike.indexOf(phone) + 1}` : called(phone);
}
