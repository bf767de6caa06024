// Portuguese, of Brazil: the grammar.

const FACES = [
  ["", ""],
  ["paco", "pacos"],
  ["dois", "dois"],
  ["três", "três"],
  ["quatro", "quatros"],
  ["cinco", "cincos"],
  ["seis", "seis"],
];
const NUMBERS = ["nenhum", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"];
const COLOURS = {
  red: ["vermelho", "vermelhos"],
  orange: ["laranja", "laranja"],
  yellow: ["amarelo", "amarelos"],
  green: ["verde", "verdes"],
  blue: ["azul", "azuis"],
  purple: ["roxo", "roxos"],
  black: ["preto", "pretos"],
  white: ["branco", "brancos"],
};
const MANY = 1000000;

const faceName = (face, count = 1) => FACES[face][count === 1 || count === 0 ? 0 : 1]; // "nenhum quatro" is singular
const number = (n) => NUMBERS[n] || String(n);
const digits = (n) => (n > MANY ? "mais de um milhão de" : String(n || "nenhum"));
const faces = ({ count, face }) => `${digits(count)} ${faceName(face, count)}`;
const dice = (n, colour = null) => [n, n === 1 ? "dado" : "dados", colour && COLOURS[colour][n === 1 ? 0 : 1]].filter((word) => word !== null).join(" ");
const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} e ${names[names.length - 1]}`);

/** How the parameters of messages are written; `forms` are those that messages and the page's words ask for by name. */
export const grammar = {
  faces,
  faceName,
  dice,
  aDie: (colour) => `um dado ${COLOURS[colour][0]}`,
  colour: (colour) => COLOURS[colour][0],
  rounds: (n) => `${n} ${n === 1 ? "rodada" : "rodadas"}`,
  list,
  forms: {
    colour: (colour) => COLOURS[colour][0],
    list,
    named: faceName,
    number,
    owners: (names) => names.map((name) => `de ${name}`).join(" ou "),
    plural: (face) => faceName(face, 2),
    decimal: (figure) => String(figure).replace(".", ","),
    dice: (n) => dice(n),
    many: ({ colour }) => COLOURS[colour][1],
    no: ({ die: colour }) => `nenhum dado ${COLOURS[colour][0]}`,
    pacos: (n) => faces({ count: n, face: 1 }),
    there: (bid) => (bid.count ? `há ${faces(bid)}` : `não há ${faces(bid)}`),
    was: (bid) => (bid.count ? `havia ${faces(bid)}` : `não havia ${faces(bid)}`),
  },
};
