// German: the grammar.

const FACES = [
  ["", ""],
  ["Paco", "Pacos"],
  ["Zwei", "Zweien"],
  ["Drei", "Dreien"],
  ["Vier", "Vieren"],
  ["Fünf", "Fünfen"],
  ["Sechs", "Sechsen"],
];
const NUMBERS = ["keine", "eine", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"];
const COLOURS = { red: "rot", orange: "orangefarben", yellow: "gelb", green: "grün", blue: "blau", purple: "violett", black: "schwarz", white: "weiß" };
const MANY = 1000000;

const faceName = (face, count = 1) => FACES[face][count === 1 ? 0 : 1];
const amount = (n, face) => (n === 1 && face === 1 ? "ein" : NUMBERS[n] || String(n)); // der Paco, die Vier
const aFace = (face) => `${amount(1, face)} ${FACES[face][0]}`;
const digits = (n) => (n > MANY ? "mehr als eine Million" : String(n || "keine"));
const faces = ({ count, face }) => `${digits(count)} ${faceName(face, count)}`;
const dice = (n, colour = null, ending = n === 1 ? "en" : "e", noun = "Würfel") => [n, colour && COLOURS[colour] + ending, noun].filter((word) => word !== null).join(" ");
const dative = (n, colour) => dice(n, colour, "en", n === 1 ? "Würfel" : "Würfeln");
const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} und ${names[names.length - 1]}`);

/** How the parameters of messages are written, dice in the accusative; `forms` are those that messages and the page's words ask for by name. */
export const grammar = {
  capitals: true, // of nouns, and of a sentence after a colon
  faces,
  faceName,
  dice,
  aDie: (colour) => `einen ${COLOURS[colour]}en Würfel`,
  colour: (colour) => `${COLOURS[colour]}en`,
  rounds: (n) => `${n} ${n === 1 ? "Runde" : "Runden"}`,
  list,
  forms: {
    amount,
    colour: (colour) => COLOURS[colour],
    list,
    named: faceName,
    owners: (names) => names.map((name) => `von ${name}`).join(" oder "),
    plural: (face) => faceName(face, 2),
    a: ({ face }) => aFace(face),
    decimal: (figure) => String(figure).replace(".", ","),
    its: ({ die: colour }) => `eines ${COLOURS[colour]}en Würfels`,
    no: ({ die: colour }) => `keinen ${COLOURS[colour]}en Würfel`,
    of: ({ dice: n, colour }) => dative(n, colour),
    pacos: (n) => faces({ count: n, face: 1 }),
    plain: ({ colour }) => COLOURS[colour],
    the: ({ dice: n, colour }) => (n === 1 ? `dem ${dative(1, colour).slice(2)}` : `den ${dative(n, colour)}`),
  },
};
