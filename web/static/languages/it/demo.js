// Italian: the words of the demo’s robots.

export const words = {
  title: "I tuoi dadi e i robot",
  against: (n) => `Gioca contro ${n} robot`,
  inShort: "Dadi sotto i bicchieri: dichiara, dubita, bluffa.",
  newHere: "Nuovo di Perudo?",
  strengths: { easy: "Facile", medium: "Medio", hard: "Difficile" },
  friends: "Gli amici prendono un posto con il loro telefono: allora giocano loro, non il robot.",
  instead: (strength) => `Al posto del robot (${strength.toLowerCase()})`,
  thinks: (name, strength) => `${name} sta pensando (robot, ${strength.toLowerCase()})`,
  faster: "Più veloce",
  waiting: "I robot aspettano: qualcosa è stato annullato.",
  goOn: "Avanti, robot",
  look: "I tuoi dadi: tieni premuto per guardare",
  yours: (faces) => `I tuoi dadi: ${faces}`,
  thrown: "I tuoi dadi stanno ancora rotolando",
};
