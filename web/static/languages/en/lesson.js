// English: the words of the lesson and of the first round.

import { words as page } from "./page.js";

const { faceName } = page;
const HELD = { holds: "holds", fails: "does not hold", exact: "is exact", inexact: "is not exact" };

export const words = {
  next: "Next",
  done: "Done",
  hiddenTitle: "Bid on hidden dice",
  hidden: (each, all, count, face) => `Everybody has ${each} dice under a cup and sees only their own. A bid is on all ${all}: “${count} ${faceName(face, count)}” says that at least ${count} are there.`,
  wildTitle: "The toucan counts as any face",
  wild: (n, face) => `It is the paco, the 1 of these dice. Whatever face is bid, pacos count too: here are ${n} ${faceName(face, n)}.`,
  tameTitle: "The toucan is the 1",
  tame: (n, face) => `It is called paco. At this table pacos count as no other face: here are ${n} ${faceName(face, n)}.`,
  turnTitle: "Raise or doubt",
  raise: {
    "one-of-two": "On your turn bid more dice of the same face, or as many of a higher face.",
    "any-face": "On your turn bid more dice of any face, or as many of a higher face.",
    "higher-face": "On your turn bid more dice of the same face, or any number of a higher face.",
  },
  doubts: "If you do not believe the last bid, say dudo: “I doubt it”.",
  anyoneDoubts: "Whoever does not believe the last bid says dudo: “I doubt it”.",
  pacosTitle: "To pacos and back",
  toPacos: (count, face, half) => `Pacos are rarer: half as many are enough. After ${count} ${faceName(face, count)}, bid ${half} ${faceName(1, half)} or more.`,
  fromPacos: (pacos, count, face, more) => `Back from pacos it takes twice as many${more ? " and one more" : ""}: after ${pacos} ${faceName(1, pacos)}, ${count} ${faceName(face, count)}.`,
  dudoTitle: "Who is wrong loses a die",
  differenceTitle: "Who is wrong loses the difference",
  wins: "The last with dice wins.",
  seldomTitle: "Calza and palifico",
  calza: "Calza: “Exactly!” If there are just as many as were bid, you take back a die; if not, you lose one.",
  calzaCosts: "Calza: “Exactly!” If there are just as many as were bid, the bidder loses a die; if not, you do.",
  palifico: "Who comes down to one die is palifico: for one round pacos are only pacos, and the first face bid stays.",
  palificoTame: "Who comes down to one die is palifico: for one round the first face bid stays.",
  question: "Does the bid hold?",
  yes: "It holds",
  no: "It does not",
  right: "Right.",
  wrong: "Not quite.",
  make: (faces, face, pacos, count) => `${faces} ${faceName(face, faces)} and ${pacos} ${faceName(1, pacos)} make ${count}`,
  there: (count, face) => `There ${count === 1 ? "is" : "are"} ${count} ${faceName(face, count)}`,
  reckoned: (made, name, bid, held) => `${made}: ${name ? `${name}’s` : "your"} bid of ${bid} ${HELD[held]}.`,
  open: (n, dice, face, wild) => `On average ${n} of ${dice} dice are ${faceName(face, 2)}${wild ? " or pacos" : ""}. Your own dice tell you more.`,
  grey: (why) => `Why grey? ${why}`,
  doubt: "Bid higher, or press and hold Dudo.",
};
