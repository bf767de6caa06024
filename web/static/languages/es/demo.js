// Spanish: the words of the demo’s robots.

export const words = {
  title: "Tus dados y los robots",
  against: (n) => `Jugar contra ${n} robots`,
  inShort: "Dados bajo cubiletes: apuesta, duda, farolea.",
  newHere: "¿Nuevo en Perudo?",
  strengths: { easy: "Fácil", medium: "Medio", hard: "Difícil" },
  friends: "Tus amigos pueden sentarse con su teléfono: así juegan ellos, no el robot.",
  instead: (strength) => `En lugar del robot (${strength.toLowerCase()})`,
  thinks: (name, strength) => `${name} está pensando (robot, ${strength.toLowerCase()})`,
  faster: "Más rápido",
  waiting: "Los robots esperan: se ha deshecho algo.",
  goOn: "Adelante, robots",
  look: "Tus dados: mantén pulsado para verlos",
  yours: (faces) => `Tus dados: ${faces}`,
  thrown: "Tus dados aún están rodando",
};
