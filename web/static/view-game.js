// A new game: who sits where, which dice are whose, and by which rules.

import { h } from "./dom.js";
import { say } from "./words.js";

const MOST = 6;

/** What the form starts with: the players of the last game, or two empty seats. */
export function firstForm(state, choices) {
  const seats = state.players.map(({ name, colour }) => ({ name, colour }));
  while (seats.length < 2) seats.push({ name: "", colour: free(seats, choices) });
  return {
    seats: seats.map((seat, n) => ({ ...seat, id: n })),
    next: seats.length,
    ruleset: state.ruleset || choices.ruleset,
    calza: state.calza !== false,
    starter: "",
    said: "",
  };
}

const free = (seats, choices) => choices.colours.find((colour) => !seats.some((seat) => seat.colour === colour)) || choices.colours[0];

/** The form. It is kept in the store, so that nothing typed is lost when a new state arrives. */
export function game(ctx) {
  const { state, store, post } = ctx;
  const { choices, form: kept, busy } = store.get();
  if (!choices) return h("p", { class: "quiet", key: "nochoices" }, say.connecting);
  const form = kept || firstForm(state, choices);
  const now = () => store.get().form || form;
  const change = (part) => store.change({ form: { ...now(), said: "", ...part } });
  const seat = (id, part) => change({ seats: now().seats.map((s) => (s.id === id ? { ...s, ...part } : s)) });
  const playing = !["seating", "over"].includes(state.phase);
  const names = form.seats.map((s) => s.name.trim());

  const start = async (event) => {
    event.preventDefault();
    const wrong = names.some((name) => !name) ? say.nameMissing : new Set(names).size < names.length ? say.nameTwice : "";
    if (wrong) {
      change({ said: wrong });
      return;
    }
    const done = await post("game", {
      players: form.seats.map((s) => ({ name: s.name.trim(), colour: s.colour })),
      ruleset: form.ruleset,
      calza: form.calza,
      starter: names.includes(form.starter) ? form.starter : null,
      ...(playing ? { abandon: true } : {}),
    });
    if (done) store.change({ form: null, sheet: null });
  };

  return h(
    "form",
    { class: "gameform", key: "gameform", novalidate: true, autocomplete: "off", on: { submit: start } },
    h("p", { class: "quiet" }, playing ? say.abandonHint : say.seats),
    h(
      "ol",
      { class: "seats" },
      form.seats.map((s, n) =>
        h(
          "li",
          { key: s.id, class: "seat" },
          h("i", { class: `mini large ${s.colour}` }),
          h("input", {
            type: "text",
            maxlength: 24,
            dir: "auto",
            autocapitalize: "words",
            spellcheck: "false",
            enterkeyhint: "next",
            placeholder: say.player(n + 1),
            "aria-label": `${say.name}, ${say.player(n + 1)}`,
            value: s.name,
            on: { input: (event) => seat(s.id, { name: event.target.value }) },
          }),
          select(
            say.colourOf(n + 1),
            s.colour,
            choices.colours.map((colour) => [colour, say.colours[colour] || colour]),
            (colour) => {
              const other = form.seats.find((o) => o.colour === colour && o.id !== s.id);
              change({ seats: form.seats.map((o) => (o.id === s.id ? { ...o, colour } : other && o.id === other.id ? { ...o, colour: s.colour } : o)) });
            },
          ),
          form.seats.length > 2 &&
            h("button", { type: "button", class: "icon", "aria-label": say.removePlayer(n + 1), on: { click: () => change({ seats: form.seats.filter((o) => o.id !== s.id) }) } }, "×"),
        ),
      ),
    ),
    form.seats.length < MOST &&
      h(
        "button",
        { type: "button", class: "plain add", on: { click: () => change({ seats: [...form.seats, { id: form.next, name: "", colour: free(form.seats, choices) }], next: form.next + 1 }) } },
        `+ ${say.addPlayer}`,
      ),
    h("label", { class: "field" }, h("span", {}, say.rules), select(say.rules, form.ruleset, choices.rulesets.map((r) => [r.id, `${r.title} (${r.edition})`]), (ruleset) => change({ ruleset }))),
    h(
      "label",
      { class: "field" },
      h("span", {}, say.first),
      select(say.first, form.starter, [["", say.random], ...names.filter(Boolean).map((name) => [name, name])], (starter) => change({ starter })),
    ),
    h("label", { class: "field check" }, h("input", { type: "checkbox", checked: form.calza, on: { change: (event) => change({ calza: event.target.checked }) } }), h("span", {}, say.calzaAllowed)),
    form.said && h("p", { class: "problem", role: "alert" }, form.said),
    h("button", { type: "submit", class: `go${playing ? " danger" : ""}`, disabled: Boolean(busy) }, playing ? say.abandon : say.start),
  );
}

function select(label, value, options, onChange) {
  return h(
    "select",
    { "aria-label": label, value, on: { change: (event) => onChange(event.target.value) } },
    options.map(([id, text]) => h("option", { key: id, value: id }, text)),
  );
}
