// Dutch: the words of the lesson and of the first round.

import { words as page } from "./page.js";

const { faceName } = page;
const HELD = { holds: "klopt", fails: "klopt niet", exact: "is precies goed", inexact: "is niet precies goed" };

export const words = {
  next: "Volgende",
  done: "Klaar",
  hiddenTitle: "Bieden op verborgen dobbelstenen",
  hidden: (each, all, count, face) => `Iedereen heeft ${each} dobbelstenen onder een beker en ziet alleen die van zichzelf. Een bod gaat over alle ${all}: “${count} ${faceName(face, count)}” zegt dat er minstens ${count} liggen.`,
  wildTitle: "De toekan telt als elke waarde",
  wild: (n, face) => `Het is de paco, de 1 van deze dobbelstenen. Welke waarde ook geboden is, paco’s tellen mee: hier liggen ${n} ${faceName(face, n)}.`,
  tameTitle: "De toekan is de 1",
  tame: (n, face) => `Hij heet paco. Aan deze tafel telt hij als geen andere waarde: hier liggen ${n} ${faceName(face, n)}.`,
  turnTitle: "Hoger bieden of twijfelen",
  raise: {
    "one-of-two": "Als je aan de beurt bent, bied je meer dobbelstenen van dezelfde waarde, of evenveel van een hogere waarde.",
    "any-face": "Als je aan de beurt bent, bied je meer dobbelstenen van welke waarde ook, of evenveel van een hogere waarde.",
    "higher-face": "Als je aan de beurt bent, bied je meer dobbelstenen van dezelfde waarde, of elk aantal van een hogere waarde.",
  },
  doubts: "Geloof je het laatste bod niet, zeg dan dudo: “ik betwijfel het”.",
  anyoneDoubts: "Wie het laatste bod niet gelooft, zegt dudo: “ik betwijfel het”.",
  pacosTitle: "Naar paco’s en terug",
  toPacos: (count, face, half) => `Paco’s zijn zeldzamer: half zoveel is genoeg. Bied na ${count} ${faceName(face, count)} minstens ${half} ${faceName(1, half)}.`,
  fromPacos: (pacos, count, face, more) => `Terug van paco’s kost twee keer zoveel${more ? " en één meer" : ""}: na ${pacos} ${faceName(1, pacos)}, ${count} ${faceName(face, count)}.`,
  dudoTitle: "Wie ongelijk heeft, verliest een dobbelsteen",
  differenceTitle: "Wie ongelijk heeft, verliest het verschil",
  wins: "De laatste met dobbelstenen wint.",
  seldomTitle: "Calza en palifico",
  calza: "Calza: “Precies!” Liggen er juist zoveel als geboden, dan krijg je een dobbelsteen terug; anders verlies je er een.",
  calzaCosts: "Calza: “Precies!” Liggen er juist zoveel als geboden, dan verliest de bieder een dobbelsteen; anders jij.",
  palifico: "Wie nog één dobbelsteen heeft, is palifico: één ronde lang zijn paco’s alleen paco’s, en de eerst geboden waarde ligt vast.",
  palificoTame: "Wie nog één dobbelsteen heeft, is palifico: één ronde lang ligt de eerst geboden waarde vast.",
  question: "Klopt het bod?",
  yes: "Het klopt",
  no: "Het klopt niet",
  right: "Juist.",
  wrong: "Net niet.",
  make: (faces, face, pacos, count) => `${faces} ${faceName(face, faces)} en ${pacos} ${faceName(1, pacos)} zijn samen ${count}`,
  there: (count, face) => `Er ${count === 1 ? "ligt" : "liggen"} ${count} ${faceName(face, count)}`,
  reckoned: (made, name, bid, held) => `${made}: ${name ? `het bod van ${name}` : "jouw bod"}, ${bid}, ${HELD[held]}.`,
  open: (n, dice, face, wild) => `Gemiddeld zijn ${n} van ${dice} stenen ${faceName(face, 2)}${wild ? " of paco’s" : ""}. Je eigen stenen zeggen meer.`,
  grey: (why) => `Waarom grijs? ${why}`,
  doubt: "Bied hoger, of houd Dudo ingedrukt.",
};
