// French: the grammar. The words of the game are those of the French books.

const FACES = ["", "paco", "deux", "trois", "quatre", "cinq", "six"];
const NUMBERS = ["aucun", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"];
const COLOURS = {
  red: ["rouge", "rouges"],
  orange: ["orange", "orange"],
  yellow: ["jaune", "jaunes"],
  green: ["vert", "verts"],
  blue: ["bleu", "bleus"],
  purple: ["violet", "violets"],
  black: ["noir", "noirs"],
  white: ["blanc", "blancs"],
};
const MANY = 1000000;

const faceName = (face) => FACES[face]; // the names of numbers have no plural, and the books give paco none
const moreOf = (face) => (face === 1 ? "plus de paco" : `plus de dés de valeur ${FACES[face]}`); // "plus de quatre" is five
const number = (n) => NUMBERS[n] || String(n);
const many = (n) => n >= 2; // none and one are singular
const digits = (n) => (n > MANY ? "plus d’un million de" : String(n || "aucun"));
const faces = ({ count, face }) => `${digits(count)} ${FACES[face]}`;
const dice = (n, colour = null) => [n, many(n) ? "dés" : "dé", colour && COLOURS[colour][many(n) ? 1 : 0]].filter((word) => word !== null).join(" ");
const de = (name) => (/^([aeouàáâäåæéèêëíìîïóòôöøœúùûü]|i(?![aeou])|y(?=[b-df-hj-np-tv-xz])|h(?=[éiouy]|e(?!i)))/i.test(name) ? `d’${name}` : `de ${name}`); // d’Yves, de Yann; d’Hélène, de Hassan
const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} et ${names[names.length - 1]}`);

/** How the parameters of messages are written; `forms` are those that messages and the page's words ask for by name. */
export const grammar = {
  faces,
  faceName,
  dice,
  aDie: (colour) => `un dé ${COLOURS[colour][0]}`,
  colour: (colour) => COLOURS[colour][0],
  rounds: (n) => `${n} ${many(n) ? "manches" : "manche"}`,
  list,
  forms: {
    colour: (colour) => COLOURS[colour][0],
    list,
    moreOf,
    named: faceName,
    number,
    owners: (names) => names.map(de).join(" ou "),
    de,
    dice: (n) => dice(n),
    count: ({ dice: n }) => String(n),
    decimal: (figure) => String(figure).replace(".", ","),
    many: ({ colour }) => COLOURS[colour][1],
    there: (bid) => (bid.count ? `il y a ${faces(bid)}` : `il n’y a ${faces(bid)}`),
    nor: ({ names }, say) => names.map(say).join(" ni "),
    was: (bid) => (bid.count ? `il y avait ${faces(bid)}` : `il n’y avait ${faces(bid)}`),
  },
};
