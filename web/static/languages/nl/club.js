// Dutch: the words of a table's club.

import { grammar } from "./page.js";

export const words = {
  rounds: { round: (n) => `Ronde ${n}`, final: "Finale", playOff: "Beslissingsronde" },
  heading: (round, tournament) => `${tournament} · ${round}`,
  play: (names) => `${grammar.list(names)} ${names.length === 1 ? "speelt" : "spelen"} aan deze tafel`,
  whole: (heading, play) => `${heading}: ${play}`,
  next: (heading, names) => `Hierna aan deze tafel: ${grammar.list(names)} (${heading})`,
  setUp: "Hun spel klaarzetten",
  others: "Andere spelers",
  member: (club) => `Deze tafel is lid van ${club}.`,
  away: (club) => `Deze tafel is lid van ${club}. De club reageert nu niet; er wordt gewoon doorgespeeld.`,
};
