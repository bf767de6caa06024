// What rounds, tables and tournaments are called.

import { word } from "../languages/language.js";

/** A round's name, which the API says in English: "Round 2", "Final", "Play-off". */
export function roundName(name) {
  const numbered = /^Round (\d+)$/.exec(name);
  if (numbered) return word.tournaments.round(Number(numbered[1]));
  return { Final: word.tournaments.final, "Play-off": word.tournaments.playOff }[name] || name;
}

/** How far it is; "" before the first round. */
export function progressOf({ format, rounds, planned }) {
  const last = rounds[rounds.length - 1];
  if (!last) return "";
  return format === "knock-out" ? roundName(last.name) : word.tournaments.roundOf(last.number, planned);
}

/** How it is played, how far it is, and how many play. */
export function factsOf(tournament) {
  const { format, entrants, closed } = tournament;
  const here = Object.values(entrants).filter(Boolean).length;
  return [word.tournaments.formats[format], progressOf(tournament), word.tournaments.players(here), closed && word.tournaments.closed].filter(Boolean).join(" · ");
}

/** A table's number as people say it, and which of the club's tables that is. */
export const tableTitle = (tables, { number, table }) => [word.tournaments.table(number), table && ((tables || {})[table] || {}).name].filter(Boolean).join(" · ");
