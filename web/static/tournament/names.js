// What rounds, tables and tournaments are called.

import { tournamentWord } from "../languages/lobby.js";

/** A round's name, which the API says in English: "Round 2", "Final", "Play-off". */
export function roundName(name) {
  const numbered = /^Round (\d+)$/.exec(name);
  if (numbered) return tournamentWord.round(Number(numbered[1]));
  return { Final: tournamentWord.final, "Play-off": tournamentWord.playOff }[name] || name;
}

/** How far it is; "" before the first round. */
export function progressOf({ format, rounds, planned }) {
  const last = rounds[rounds.length - 1];
  if (!last) return "";
  return format === "knock-out" ? roundName(last.name) : tournamentWord.roundOf(last.number, planned);
}

/** How it is played, how far it is, and how many play. */
export function factsOf(tournament) {
  const { format, entrants, closed } = tournament;
  const here = Object.values(entrants).filter(Boolean).length;
  return [tournamentWord.formats[format], progressOf(tournament), tournamentWord.players(here), closed && tournamentWord.closed].filter(Boolean).join(" · ");
}

/** A table's number as people say it, and which of the club's tables that is. */
export const tableTitle = (tables, { number, table }) => [tournamentWord.table(number), table && ((tables || {})[table] || {}).name].filter(Boolean).join(" · ");
