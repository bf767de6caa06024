// Spanish: the words of a table's club.

import { grammar } from "./page.js";

export const words = {
  rounds: { round: (n) => `ronda ${n}`, final: "final", playOff: "desempate" },
  heading: (round, tournament) => `${tournament}, ${round}`,
  play: (names) => `${grammar.list(names)} ${names.length === 1 ? "juega" : "juegan"} en esta mesa`,
  whole: (heading, play) => `${heading}: ${play}`,
  next: (heading, names) => `Después en esta mesa: ${grammar.list(names)} (${heading})`,
  setUp: "Preparar su partida",
  others: "Otros jugadores",
  member: (club) => `Esta mesa está en el club «${club}».`,
  away: (club) => `Esta mesa está en el club «${club}», que ahora no responde. Las partidas no lo esperan.`,
};
