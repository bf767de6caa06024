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
  raise: {
    "one-of-two": "À ton tour, annonce plus de dés de la même valeur, ou autant d’une valeur plus haute.",
    "any-face": "À ton tour, annonce plus de dés de n’importe quelle valeur, ou autant d’une valeur plus haute.",
    "higher-face": "À ton tour, annonce plus de dés de la même valeur, ou n’importe quel nombre d’une valeur plus haute.",
  },
  doubts: "Si tu ne crois pas la dernière proposition, dis dudo\u202f: «\u202fje doute\u202f».",
  anyoneDoubts: "Qui ne croit pas la dernière proposition dit dudo\u202f: «\u202fje doute\u202f».",
  pacosTitle: "Passer aux paco et en revenir",
  toPacos: (count, face, half) => `Les paco sont plus rares\u202f: la moitié suffit. Après ${count} ${faceName(face)}, annonce ${half} paco ou plus.`,
  fromPacos: (pacos, count, face, more) => `Pour en revenir, il faut le double${more ? " plus un" : ""}\u202f: après ${pacos} paco, ${count} ${faceName(face)}.`,
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
  open: (n, dice, face, wild) => `En moyenne, sur ${dice} dés, ${n} ${faceName(face)}${wild ? " ou paco" : ""}. Tes propres dés t’en disent plus.`,
  grey: (why) => `Pourquoi gris\u202f? ${why}`,
  doubt: "Monte, ou tiens Dudo appuyé.",
};
