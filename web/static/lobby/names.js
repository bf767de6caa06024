// What players, tables and moments are called in the lobby.

import { h } from "../core/dom.js";
import { language, say, textOf, word } from "../languages/language.js";

/** A player's name; "(red)" for one who is not named. */
export const called = ({ name, colour, named }) => (named ? name : `(${say.colours[colour]})`);

/** The same where brackets have no room. */
export const calledShort = ({ name, colour, named }) => (named ? name : say.colours[colour]);

/** The same for a name in a state, where only `players` says who is named. */
export function calledAmong(players, name, of = called) {
  const found = players.find((player) => player.name === name);
  return found ? of(found) : name;
}

/** The text of a `{sentence, said}`, with everybody in it called as in the page's language. */
export function textAmong(players, { sentence, said }) {
  const of = (value) => {
    if (typeof value === "string") return calledAmong(players, value);
    if (value && value.names) return { names: value.names.map(of) };
    return value && value.msgid ? part(value) : value;
  };
  const part = ({ msgid, params }) => ({ msgid, params: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, of(value)])) });
  return textOf({ sentence, said: said.length ? said.map(part) : null });
}

/** A player's name, which leads to their page if it is one. */
export const playerLink = (player) =>
  player.named === false ? h("bdi", {}, called(player)) : h("a", { href: `/player?name=${encodeURIComponent(player.name)}` }, h("bdi", {}, player.name));

/** What people call a table. */
export const tableName = (tables, id) => ((tables || {})[id] || { name: id }).name;

/** When a game ended, as the table's clock had it; "" where it says no moment. */
export function when({ ended, clock_set: dated }) {
  if (!dated) return word.lobby.undated;
  const time = new Date(ended);
  return Number.isNaN(time.getTime()) ? "" : time.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}

/** "1,623" without the comma: ratings are read as one number. */
export const figure = (n) => n.toLocaleString(language, { useGrouping: false });

/** A game's page. */
export const gameAddress = (game) => `/game?id=${encodeURIComponent(game)}`;
