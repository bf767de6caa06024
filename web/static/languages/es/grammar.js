// Spanish: the grammar.

const FACES = [
  ["", ""],
  ["paco", "pacos"],
  ["dos", "doses"],
  ["tres", "treses"],
  ["cuatro", "cuatros"],
  ["cinco", "cincos"],
  ["seis", "seises"],
];
const NUMBERS = ["ningún", "un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"];
const COLOURS = {
  red: ["rojo", "rojos"],
  orange: ["naranja", "naranjas"],
  yellow: ["amarillo", "amarillos"],
  green: ["verde", "verdes"],
  blue: ["azul", "azules"],
  purple: ["morado", "morados"],
  black: ["negro", "negros"],
  white: ["blanco", "blancos"],
};
const MANY = 1000000;

const faceName = (face, count = 1) => FACES[face][count === 1 || count === 0 ? 0 : 1]; // "ningún cuatro" is singular
const number = (n) => NUMBERS[n] || String(n);
const digits = (n) => (n > MANY ? "más de un millón de" : String(n || "ningún"));
const faces = ({ count, face }) => `${digits(count)} ${faceName(face, count)}`;
const dice = (n, colour = null) => [n, n === 1 ? "dado" : "dados", colour && COLOURS[colour][n === 1 ? 0 : 1]].filter((word) => word !== null).join(" ");
const and = (name) => (/^h?[iíy](?![aeiouáéíóú])/i.test(name) ? "e" : "y"); // e Inés, e Yves; y Yolanda
const list = (names) => {
  if (names.length < 2) return names.join("");
  const last = names[names.length - 1];
  return `${names.slice(0, -1).join(", ")} ${and(last)} ${last}`;
};

/** How the parameters of messages are written; `forms` are those that messages and the page's words ask for by name. */
export const grammar = {
  faces,
  faceName,
  dice,
  aDie: (colour) => `un dado ${COLOURS[colour][0]}`,
  colour: (colour) => COLOURS[colour][0],
  rounds: (n) => `${n} ${n === 1 ? "ronda" : "rondas"}`,
  list,
  forms: {
    colour: (colour) => COLOURS[colour][0],
    counted: (face, count) => FACES[face][count === 1 ? 0 : 1], // beside a figure, 0 is plural
    list,
    named: faceName,
    number,
    owners: (names) => names.map((name) => `de ${name}`).join(" o "),
    plural: (face) => faceName(face, 2),
    dice: (n) => dice(n),
    pacos: (n) => faces({ count: n, face: 1 }),
    decimal: (figure) => String(figure).replace(".", ","),
    many: ({ colour }) => COLOURS[colour][1],
    there: (bid) => (bid.count ? `hay ${faces(bid)}` : `no hay ${faces(bid)}`),
    was: (bid) => (bid.count ? `había ${faces(bid)}` : `no había ${faces(bid)}`),
  },
};
