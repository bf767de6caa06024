// French: the words of the lesson and of the first round.

import { words as page } from "./page.js";

const { faceName } = page;
const HELD = { holds: "la proposition tient", fails: "la proposition ne tient pas", exact: "c’est exact", inexact: "ce n’est pas exact" };

export const words = {
  next: "Suivant",
  done: "Compris",
  hiddenTitle: "On annonce des dés cachés",
  hidden: (each, all, count, face) => `Chacun a ${each} dés sous son gobelet et ne voit que les siens. On annonce sur les ${all}\u202f: «\u202f${count} ${faceName(face)}\u202f», c’est dire qu’il y en a au moins ${count}.`,
  wildTitle: "Le toucan compte pour toute valeur",
  wild: (n, face) => `C’est le paco, le 1 de ces dés. Quelle que soit la valeur annoncée, les paco comptent aussi\u202f: ici, ${n} ${faceName(face)}.`,
  tameTitle: "Le toucan est le 1",
  tame: (n, face) => `On l’appelle paco. À cette table, il ne compte pour aucune autre valeur\u202f: ici, ${n} ${faceName(face)}.`,
  turnTitle: "Monter ou douter",
  turn: "À ton tour, annonce plus de dés, ou une valeur plus haute. Si tu ne crois pas la dernière proposition, dis dudo\u202f: «\u202fje doute\u202f».",
  anyoneDoubts: "À ton tour, annonce plus de dés, ou une valeur plus haute. Qui ne croit pas la dernière proposition dit dudo\u202f: «\u202fje doute\u202f».",
  dudoTitle: "Qui a tort perd un dé",
  differenceTitle: "Qui a tort perd la différence",
  wins: "Le dernier qui a des dés gagne.",
  seldomTitle: "Calza et palifico",
  calza: "Calza\u202f: «\u202fExactement\u202f!\u202f» S’il y en a juste autant qu’annoncé, tu récupères un dé\u202f; sinon, tu en perds un.",
  calzaCosts: "Calza\u202f: «\u202fExactement\u202f!\u202f» S’il y en a juste autant qu’annoncé, celui qui a annoncé perd un dé\u202f; sinon, c’est toi.",
  palifico: "Qui n’a plus qu’un dé est palifico\u202f: pendant une manche, les paco ne sont que des paco, et la première valeur annoncée reste.",
  palificoTame: "Qui n’a plus qu’un dé est palifico\u202f: pendant une manche, la première valeur annoncée reste.",
  question: "La proposition tient-elle\u202f?",
  yes: "Elle tient",
  no: "Elle ne tient pas",
  right: "C’est ça.",
  wrong: "Pas tout à fait.",
  make: (faces, face, pacos, count) => `${faces} ${faceName(face)} et ${pacos} paco font ${count}`,
  there: (count, face) => `Il y a ${count} ${faceName(face)}`,
  reckoned: (made, name, bid, held) => `${made}\u202f: ${name ? `${name} a annoncé` : "tu as annoncé"} ${bid}, ${HELD[held]}.`,
  about: (n, dice, face, wild) => `Sur ${dice} dés, environ ${n} ${faceName(face)}${wild ? " ou paco" : ""}`,
  line: (about, n) => `${about}\u202f: d’où le trait sous ${n}.`,
  grey: (why) => `Le gris est interdit ici. ${why}`,
  doubt: (about) => `Monte, ou tiens Dudo appuyé. ${about}.`,
};
