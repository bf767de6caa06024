// Italian: the words of a table's club.

import { grammar } from "./page.js";

export const words = {
  rounds: { round: (n) => `turno ${n}`, final: "finale", playOff: "spareggio" },
  heading: (round, tournament) => `${tournament}, ${round}`,
  play: (names) => `${grammar.list(names)} ${names.length === 1 ? "gioca" : "giocano"} a questo tavolo`,
  whole: (heading, play) => `${heading}: ${play}`,
  next: (heading, names) => `Poi a questo tavolo: ${grammar.list(names)} (${heading})`,
  setUp: "Prepara la loro partita",
  others: "Altri giocatori",
  member: (club) => `Questo tavolo fa parte del club «${club}».`,
  away: (club) => `Questo tavolo fa parte del club «${club}», che ora non risponde. Si gioca lo stesso.`,
};
