// English: the grammar.

const FACES = [
  ["", ""],
  ["paco", "pacos"],
  ["two", "twos"],
  ["three", "threes"],
  ["four", "fours"],
  ["five", "fives"],
  ["six", "sixes"],
];
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const faceName = (face, count = 1) => FACES[face][count === 1 ? 0 : 1];
const a = (word) => (/^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`);
const number = (n) => NUMBERS[n] || String(n);
const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);

/** How the page's words write their values: `forms` are those that they ask for by name. */
export const grammar = {
  faceName,
  forms: {
    aFace: (face) => a(faceName(face)),
    named: faceName,
    number,
    owners: (names) => names.map((name) => `${name}’s`).join(" or "),
    plural: (face) => faceName(face, 2),
    list,
  },
};
