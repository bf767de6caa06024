// Sentences that are data. A place is {name}, or {name:form}: a form of the language's grammar, {face:named:count} one that goes
// by another value too. A choice is written as in ICU's messages: {n, plural, =0 {none} one {1 die} other {{n} dice}}, by the
// plurals of the language (of names: how many they are), and {what, select, on {lit} none {unknown} other {{what}}}, where `none`
// is said of nothing: null, "" or false.

const TEXT = /[^{}]+/y;
const PLACE = /\{(\w+)(?::(\w+))?(?::(\w+))?\}/y;
const CHOICE = /\{(\w+), (plural|select),/y;
const CASE = /\s*(=?\w+) \{/y;
const END = /\}/y;
const SIGNATURE = /^(\w+)\((.*)\)$/; // turn(name)
const SENTENCE = /[.!?]$/;
const COMMON = { lower: (text) => text.toLowerCase() };

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

// A name in Hebrew or Arabic between two signs that keep the order of the words around it.
const isolated = (value) => (RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : String(value));

const parsed = new Map();

/** The parts of a sentence: texts, places `{name, form, by}`, and choices `{name, kind, cases}`. */
export function partsOf(sentence) {
  if (!parsed.has(sentence)) parsed.set(sentence, parse(sentence));
  return parsed.get(sentence);
}

function parse(sentence) {
  let at = 0;
  const fail = () => {
    throw new Error(`not a sentence: ${sentence}`);
  };
  function take(pattern) {
    pattern.lastIndex = at;
    const found = pattern.exec(sentence);
    if (found) at = pattern.lastIndex;
    return found;
  }
  function part() {
    const text = take(TEXT);
    if (text) return text[0];
    const place = take(PLACE);
    if (place) return { name: place[1], form: place[2], by: place[3] };
    const choice = take(CHOICE);
    if (!choice) return null;
    const cases = Object.create(null); // a player may be called "constructor"
    for (let one = take(CASE); one; one = take(CASE)) {
      cases[one[1]] = parts();
      if (!take(END)) fail();
    }
    return take(END) ? { name: choice[1], kind: choice[2], cases } : fail();
  }
  function parts() {
    const found = [];
    for (let one = part(); one; one = part()) found.push(one);
    return found;
  }
  const whole = parts();
  return at < sentence.length ? fail() : whole;
}

// A function of a sentence and its values: the texts and places that are said, once the choices are made.
function chooser(language) {
  const plurals = new Intl.PluralRules(language);
  function chosen({ name, kind, cases }, { [name]: value }) {
    if (kind === "select") return (isNothing(value) ? cases.none : value !== "none" && cases[value]) || cases.other;
    const n = Array.isArray(value) ? value.length : value;
    return cases[`=${n}`] || cases[plurals.select(n)] || cases.other;
  }
  const open = (parts, values) => parts.flatMap((part) => (part.cases ? open(chosen(part, values), values) : part));
  return (sentence, values) => open(partsOf(sentence), values);
}

const isNothing = (value) => value === null || value === "" || value === false;

/** The words of the page, from their JSON: a text, a list, a function of the values that its key names, or a group of these. */
export function wordsOf(found, grammar, language) {
  const open = chooser(language);
  const forms = { ...COMMON, ...grammar.forms };

  function said({ name, form, by }, values) {
    const value = values[name];
    if (forms[form]) return forms[form](value, values[by]);
    return Array.isArray(value) ? value.map(isolated).join(", ") : isolated(value);
  }

  // A mistake of a translator, which `perudo languages` prints, stops no page.
  function say(sentence, values) {
    try {
      return open(sentence, values).map((part) => (typeof part === "string" ? part : said(part, values))).join("");
    } catch (error) {
      console.error(error);
      return sentence;
    }
  }

  function word([key, value]) {
    if (typeof value !== "string") return [key, Array.isArray(value) ? value : group(value)];
    const [, name, names] = SIGNATURE.exec(key) || [];
    if (!name) return [key, value];
    const parameters = names.split(", ");
    return [name, (...given) => say(value, Object.fromEntries(parameters.map((parameter, n) => [parameter, given[n]])))];
  }
  const group = (words) => Object.fromEntries(Object.entries(words).map(word));
  return group(found);
}

/**
 * A function that translates a list of the table's messages, with the templates and the grammar of a language, which turns their
 * parameters into words; docs/reference/api.md lists the kinds of parameters.
 */
export function createTranslator(messages, grammar, language) {
  const open = chooser(language);

  function value(param, form) {
    if (form) return grammar.forms[form](param, (part) => value(part));
    if (typeof param !== "object") return isolated(param);
    if ("msgid" in param) return message(param);
    if ("names" in param) return grammar.list(param.names.map((name) => value(name)));
    if ("rounds" in param) return grammar.rounds(param.rounds);
    if ("dice" in param) return grammar.dice(param.dice, param.colour);
    if ("die" in param) return grammar.aDie(param.die);
    if ("count" in param) return grammar.faces(param);
    return "face" in param ? grammar.faceName(param.face) : grammar.colour(param.colour);
  }

  function message({ msgid, params }) {
    if (!(msgid in messages)) throw new Error(`no words for ${msgid}`);
    const written = open(messages[msgid], params).map((part, at) => {
      if (typeof part === "string") return part;
      const param = params[part.name];
      const said = value(param, part.form);
      return typeof param === "object" && "msgid" in param ? within(said, at, grammar.capitals) : said;
    });
    const text = written.join("");
    return SENTENCE.test(text) && !beginsWithName(text, params) ? capital(text) : text;
  }

  return (said) => said.map(message).join(" ");
}

// A sentence within another has no full stop, and a capital only at the beginning of the other, or where the language has them
// for more than sentences (`capitals`).
function within(said, at, capitals) {
  if (!SENTENCE.test(said)) return said;
  const open = said.replace(/\.$/, "");
  return at === 0 || capitals ? open : open.charAt(0).toLowerCase() + open.slice(1);
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const beginsWithName = (text, params) => Object.values(params).some((param) => typeof param === "string" && text.startsWith(param));
