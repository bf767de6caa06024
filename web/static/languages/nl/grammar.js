// Dutch: the grammar. The words of the game are those of the Dutch books.

const FACES = [
  ["", ""],
  ["paco", "paco’s"],
  ["twee", "tweeën"],
  ["drie", "drieën"],
  ["vier", "vieren"],
  ["vijf", "vijven"],
  ["zes", "zessen"],
];
const NUMBERS = ["geen", "één", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien"];
const COLOURS = {
  red: ["rood", "rode"],
  orange: ["oranje", "oranje"],
  yellow: ["geel", "gele"],
  green: ["groen", "groene"],
  blue: ["blauw", "blauwe"],
  purple: ["paars", "paarse"],
  black: ["zwart", "zwarte"],
  white: ["wit", "witte"],
}; // alone, and before a die
const MANY = 1000000;

const faceName = (face, count = 1) => FACES[face][count === 1 ? 0 : 1];
const number = (n) => NUMBERS[n] || String(n);
const digits = (n) => (n > MANY ? "meer dan een miljoen" : String(n || "geen"));
const faces = ({ count, face }) => `${digits(count)} ${faceName(face, count)}`;
const dice = (n, colour = null) => [n, colour && COLOURS[colour][1], n === 1 ? "dobbelsteen" : "dobbelstenen"].filter((word) => word !== null).join(" ");
const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} en ${names[names.length - 1]}`);

/** How the parameters of messages are written; `forms` are those that messages and the page's words ask for by name. */
export const grammar = {
  faces,
  faceName,
  dice,
  aDie: (colour) => `een ${COLOURS[colour][1]} dobbelsteen`,
  colour: (colour) => COLOURS[colour][1],
  rounds: (n) => `${n} ${n === 1 ? "ronde" : "rondes"}`,
  list,
  forms: {
    colour: (colour) => COLOURS[colour][0],
    list,
    named: faceName,
    number,
    owners: (names) => names.join(" of "),
    plural: (face) => faceName(face, 2),
    dice: (n) => dice(n),
    pacos: (n) => faces({ count: n, face: 1 }),
    all: ({ dice: n, colour }) => (n === 1 ? dice(n, colour) : `de ${dice(n, colour)}`),
    no: ({ die: colour }) => `geen ${COLOURS[colour][1]} dobbelsteen`,
    decimal: (figure) => String(figure).replace(".", ","),
    plain: ({ colour }) => COLOURS[colour][0],
  },
};
