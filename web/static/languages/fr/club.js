// French: the words of a table's club.

import { grammar } from "./page.js";

export const words = {
  rounds: { round: (n) => `ronde ${n}`, final: "finale", playOff: "barrage" },
  heading: (round, tournament) => `${tournament}, ${round}`,
  play: (names) => `${grammar.list(names)} ${names.length === 1 ? "joue" : "jouent"} à cette table`,
  whole: (heading, play) => `${heading}\u202f: ${play}`,
  next: (heading, names) => `Ensuite à cette table\u202f: ${grammar.list(names)} (${heading})`,
  setUp: "Préparer leur partie",
  others: "D’autres joueurs",
  member: (club) => `Cette table fait partie du club «\u202f${club}\u202f».`,
  away: (club) => `Cette table fait partie du club «\u202f${club}\u202f», qui ne répond pas en ce moment. On joue sans l’attendre.`,
};
