// Dutch: the words of a table's club.

import { grammar } from "./page.js";

export const words = {
  rounds: { round: (n) => `Ronde ${n}`, final: "Finale", playOff: "Beslissingsronde" },
  heading: (round, tournament) => `${round} van ${tournament}`,
  play: (names) => `${grammar.list(names)} ${names.length === 1 ? "speelt" : "spelen"} aan deze tafel`,
  whole: (heading, play) => `${heading}: ${play}`,
  setUp: "Hun spel klaarzetten",
  member: (club) => `Deze tafel hoort bij ${club}.`,
  away: (club) => `Deze tafel hoort bij ${club}; die club antwoordt nu niet. Geen spel wacht daarop.`,
};
