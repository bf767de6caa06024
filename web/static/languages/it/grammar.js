// Italian: the grammar. The words of the game are those of the Italian book.

const FACES = ["", "paco", "due", "tre", "quattro", "cinque", "sei"];
const NUMBERS = ["nessun", "un", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci"];
const COLOURS = {
  red: ["rosso", "rossi"],
  orange: ["arancione", "arancioni"],
  yellow: ["giallo", "gialli"],
  green: ["verde", "verdi"],
  blue: ["blu", "blu"],
  purple: ["viola", "viola"],
  black: ["nero", "neri"],
  white: ["bianco", "bianchi"],
};
const MANY = 1000000;

const faceName = (face) => FACES[face]; // the names of numbers have no plural, and the book gives paco none
const moreOf = (face) => (face === 1 ? "più paco" : `più dadi di valore ${FACES[face]}`);
const number = (n) => NUMBERS[n] || String(n);
const digits = (n) => (n > MANY ? "più di un milione di" : String(n || "nessun"));
const faces = ({ count, face }) => `${digits(count)} ${FACES[face]}`;
const dice = (n, colour = null) => [n, n === 1 ? "dado" : "dadi", colour && COLOURS[colour][n === 1 ? 0 : 1]].filter((word) => word !== null).join(" ");
const and = (name) => (/^[eèé]/i.test(name) ? "ed" : "e");
const to = (name) => `${/^[aàáâä]/i.test(name) ? "ad" : "a"} ${name}`;
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
  rounds: (n) => `${n} round`,
  list,
  forms: {
    colour: (colour) => COLOURS[colour][0],
    list,
    moreOf,
    named: faceName,
    number,
    owners: (names) => names.map((name) => `di ${name}`).join(" o "),
    dice: (n) => dice(n),
    count: ({ dice: n }) => String(n),
    to,
    no: ({ die: colour }) => `nessun dado ${COLOURS[colour][0]}`,
    decimal: (figure) => String(figure).replace(".", ","),
    many: ({ colour }) => COLOURS[colour][1],
    there: (bid) => (bid.count === 0 ? `non c’è ${faces(bid)}` : `${bid.count === 1 ? "c’è" : "ci sono"} ${faces(bid)}`),
    was: (bid) => (bid.count === 0 ? `non c’era ${faces(bid)}` : `${bid.count === 1 ? "c’era" : "c’erano"} ${faces(bid)}`),
  },
};
