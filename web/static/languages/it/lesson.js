// Italian: the words of the lesson and of the first round.

import { words as page } from "./page.js";

const { faceName } = page;
const HELD = { holds: "è vera", fails: "è falsa", exact: "è esatta", inexact: "non è esatta" };

export const words = {
  next: "Avanti",
  done: "Fatto",
  hiddenTitle: "Si dichiara sui dadi nascosti",
  hidden: (each, all, count, face) => `Ognuno ha ${each} dadi sotto il bicchiere e vede solo i suoi. Si dichiara su tutti e ${all}: “${count} ${faceName(face)}” vuol dire che ce ne sono almeno ${count}.`,
  wildTitle: "Il tucano vale ogni valore",
  wild: (n, face) => `È il paco, l’1 di questi dadi. Qualunque valore si dichiari, contano anche i paco: qui ci sono ${n} ${faceName(face)}.`,
  tameTitle: "Il tucano è l’1",
  tame: (n, face) => `Si chiama paco. A questo tavolo non vale nessun altro valore: qui ci sono ${n} ${faceName(face)}.`,
  turnTitle: "Rilanciare o dubitare",
  raise: {
    "one-of-two": "Al tuo turno dichiara più dadi dello stesso valore, o altrettanti di un valore più alto.",
    "any-face": "Al tuo turno dichiara più dadi di qualsiasi valore, o altrettanti di un valore più alto.",
    "higher-face": "Al tuo turno dichiara più dadi dello stesso valore, o qualsiasi numero di un valore più alto.",
  },
  doubts: "Se non credi all’ultima dichiarazione, di’ dudo: “dubito”.",
  anyoneDoubts: "Chi non crede all’ultima dichiarazione dice dudo: “dubito”.",
  pacosTitle: "Passare ai paco e tornare",
  toPacos: (count, face, half) => `I paco sono più rari: basta la metà. Dopo ${count} ${faceName(face)}, dichiara ${half} paco o più.`,
  fromPacos: (pacos, count, face, more) => `Per tornare serve il doppio${more ? " più uno" : ""}: dopo ${pacos} paco, ${count} ${faceName(face)}.`,
  dudoTitle: "Chi sbaglia perde un dado",
  differenceTitle: "Chi sbaglia perde la differenza",
  wins: "Vince l’ultimo che ha dadi.",
  seldomTitle: "Calza e palifico",
  calza: "Calza: “Esatto!” Se ce ne sono proprio quanti dichiarati, recuperi un dado; se no, ne perdi uno.",
  calzaCosts: "Calza: “Esatto!” Se ce ne sono proprio quanti dichiarati, chi ha dichiarato perde un dado; se no, lo perdi tu.",
  palifico: "Chi resta con un dado solo è palifico: per un round i paco sono solo paco, e il primo valore dichiarato resta.",
  palificoTame: "Chi resta con un dado solo è palifico: per un round il primo valore dichiarato resta.",
  question: "La dichiarazione è vera?",
  yes: "È vera",
  no: "È falsa",
  right: "Proprio così.",
  wrong: "Non proprio.",
  make: (faces, face, pacos, count) => `${faces} ${faceName(face)} e ${pacos} paco fanno ${count}`,
  there: (count, face) => `${count === 1 ? "C’è" : "Ci sono"} ${count} ${faceName(face)}`,
  reckoned: (made, name, bid, held) => `${made}: la ${name ? `dichiarazione di ${name}` : "tua dichiarazione"}, ${bid}, ${HELD[held]}.`,
  open: (n, dice, face, wild) => `In media, su ${dice} dadi, ${n} sono ${faceName(face)}${wild ? " o paco" : ""}. I tuoi dadi dicono di più.`,
  grey: (why) => `Perché grigio? ${why}`,
  doubt: "Rilancia, o tieni premuto Dudo.",
};
