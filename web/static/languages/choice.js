// The choice of the page's language.

import { h } from "../core/dom.js";
import { chooseLanguage, language, languages, say } from "./language.js";

/** It, with its label. `done` follows once the words are there, `failed` if they cannot be loaded. */
export const languageChoice = (done, failed = done) =>
  h(
    "label",
    { class: "field", key: "language" },
    h("span", {}, say.language),
    h(
      "select",
      { value: language, "data-setting": "language", on: { change: ({ target }) => chooseLanguage(target.value).then(done, failed) } },
      languages.map(({ id, name }) => h("option", { key: id, value: id, lang: id }, name)),
    ),
  );
