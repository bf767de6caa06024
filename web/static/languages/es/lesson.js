// Spanish: the words of the lesson and of the first round.

import { words as page } from "./page.js";

const { faceName } = page;
const HELD = { holds: "se cumple", fails: "no se cumple", exact: "es exacta", inexact: "no es exacta" };

export const words = {
  next: "Siguiente",
  done: "Listo",
  hiddenTitle: "Se apuesta sobre dados ocultos",
  hidden: (each, all, count, face) => `Cada uno tiene ${each} dados bajo el cubilete y solo ve los suyos. Se apuesta sobre los ${all}: “${count} ${faceName(face, count)}” dice que hay al menos ${count}.`,
  wildTitle: "El tucán cuenta como cualquier valor",
  wild: (n, face) => `Es el paco, el 1 de estos dados. Sea cual sea el valor apostado, los pacos también cuentan: aquí hay ${n} ${faceName(face, n)}.`,
  tameTitle: "El tucán es el 1",
  tame: (n, face) => `Se llama paco. En esta mesa no cuenta como ningún otro valor: aquí hay ${n} ${faceName(face, n)}.`,
  turnTitle: "Subir o dudar",
  raise: {
    "one-of-two": "En tu turno apuesta más dados del mismo valor, o los mismos de un valor más alto.",
    "any-face": "En tu turno apuesta más dados de cualquier valor, o los mismos de un valor más alto.",
    "higher-face": "En tu turno apuesta más dados del mismo valor, o cualquier cantidad de un valor más alto.",
  },
  doubts: "Si no te crees la última apuesta, di dudo.",
  anyoneDoubts: "Quien no se crea la última apuesta dice dudo.",
  pacosTitle: "Pasar a pacos y volver",
  toPacos: (count, face, half) => `Hay menos pacos: basta la mitad. Después de ${count} ${faceName(face, count)}, apuesta ${half} ${faceName(1, half)} o más.`,
  fromPacos: (pacos, count, face, more) => `Para volver hace falta el doble${more ? " y uno más" : ""}: después de ${pacos} ${faceName(1, pacos)}, ${count} ${faceName(face, count)}.`,
  dudoTitle: "Quien se equivoca pierde un dado",
  differenceTitle: "Quien se equivoca pierde la diferencia",
  wins: "Gana el último que tenga dados.",
  seldomTitle: "Calza y palifico",
  calza: "Calza: “¡Exacto!” Si hay justo los apostados, recuperas un dado; si no, pierdes uno.",
  calzaCosts: "Calza: “¡Exacto!” Si hay justo los apostados, quien apostó pierde un dado; si no, lo pierdes tú.",
  palifico: "Quien se queda con un solo dado es palifico: durante una ronda los pacos son solo pacos, y el primer valor apostado no cambia.",
  palificoTame: "Quien se queda con un solo dado es palifico: durante una ronda el primer valor apostado no cambia.",
  question: "¿Se cumple la apuesta?",
  yes: "Se cumple",
  no: "No se cumple",
  right: "Así es.",
  wrong: "No del todo.",
  make: (faces, face, pacos, count) => `${faces} ${faceName(face, faces || 2)} y ${pacos} ${faceName(1, pacos || 2)} suman ${count}`,
  there: (count, face) => `Hay ${count} ${faceName(face, count || 2)}`,
  reckoned: (made, name, bid, held) => `${made}: ${name ? `la apuesta de ${name}` : "tu apuesta"}, ${bid}, ${HELD[held]}.`,
  open: (n, dice, face, wild) => `De ${dice} dados, ${n} de media son ${faceName(face, 2)}${wild ? " o pacos" : ""}. Tus dados te dicen más.`,
  grey: (why) => `¿Por qué gris? ${why}`,
  doubt: "Sube, o mantén pulsado Dudo.",
};
