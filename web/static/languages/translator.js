// Translates the table's messages. A language has a template for each message, and its grammar turns the parameters into
// words; docs/reference/api.md lists the kinds of parameters.

const PLACE = /\{(\w+)(?::(\w+))?\}/g; // {name}, or {name:form}
const SENTENCE = /[.!?]$/;

/** A function that translates a list of messages, with the templates and the grammar of a language. */
export function createTranslator(messages, grammar) {
  function value(param, form) {
    if (form) return grammar.forms[form](param, (part) => value(part));
    if (typeof param !== "object") return String(param);
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
    const text = messages[msgid].replace(PLACE, (place, name, form, at) => {
      const said = value(params[name], form);
      return typeof params[name] === "object" && "msgid" in params[name] ? within(said, at) : said;
    });
    return SENTENCE.test(text) && !beginsWithName(text, params) ? capital(text) : text;
  }

  return (said) => said.map(message).join(" ");
}

// A sentence within another has no full stop, and a capital only at the beginning of the other.
function within(said, at) {
  if (!SENTENCE.test(said)) return said;
  const open = said.replace(/\.$/, "");
  return at === 0 ? open : open.charAt(0).toLowerCase() + open.slice(1);
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const beginsWithName = (text, params) => Object.values(params).some((param) => typeof param === "string" && text.startsWith(param));
