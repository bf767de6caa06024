// Whether the oldest browsers that the page is for would run it: Safari 15, and Android phones of four years ago.
// Run by test_old_browsers.py.

import css from "@eslint/css";
import compat from "eslint-plugin-compat";
import esx from "eslint-plugin-es-x";
import globals from "globals";

const YEAR = 2021; // of the grammar, and of what CSS every browser knew at its end
const BROWSERS = ["safari 15", "ios_saf 15.0-15.1", "chrome 107", "and_chr 107", "firefox 107", "samsung 19"];

const es2021 = esx.configs["flat/restrict-to-es2021"];
// Lists have methods of these names too, and a parser cannot tell which of the two is meant.
// `.at` is a field here, and only a call of it is new.
const NOT_TOLD_APART = Object.keys(es2021.rules).filter((rule) => /no-iterator-prototype-|no-(array|string)-prototype-at$/.test(rule));

export default [
  {
    files: ["web/static/**/*.js"],
    languageOptions: { ecmaVersion: YEAR, sourceType: "module", globals: globals.browser },
    plugins: { ...es2021.plugins, compat },
    settings: { "es-x": { aggressive: true }, browsers: BROWSERS, lintAllEsApis: true },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...es2021.rules,
      ...Object.fromEntries(NOT_TOLD_APART.map((rule) => [rule, "off"])),
      "compat/compat": "error",
      "no-dupe-keys": "error",
      "no-undef": "error",
      "no-unused-vars": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "CallExpression[callee.property.name='at']", message: "not in Safari before 15.4" },
        // Most phones open the page over plain http, and a browser gives these to pages over https only.
        { selector: "CallExpression[callee.property.name='randomUUID']", message: "not there on plain http" },
        { selector: "MemberExpression[property.name='subtle']", message: "not there on plain http" },
      ],
    },
  },
  {
    files: ["web/static/service-worker.js"],
    languageOptions: { sourceType: "script", globals: { ...globals.serviceworker, BUILD: "readonly", SHELL: "readonly" } },
  },
  { files: ["web/static/core/before-drawing.js"], languageOptions: { sourceType: "script" } },
  {
    files: ["web/static/**/*.css"],
    plugins: { css },
    language: "css/css",
    rules: {
      "css/no-duplicate-imports": "error",
      "css/no-empty-blocks": "error",
      "no-restricted-syntax": ["error", { selector: "Dimension[unit=/^[dls]v/]", message: "dvh and its like are not in Safari before 15.4" }],
      "css/no-invalid-at-rules": "error",
      "css/no-invalid-properties": ["error", { allowUnknownVariables: true }],
      "css/use-baseline": [
        "error",
        {
          available: YEAR,
          // Nothing is lost where a browser passes these over, or Safari 15 knows them and only another lacks a part.
          allowProperties: ["accent-color", "color-scheme", "outline", "overscroll-behavior", "scroll-snap-stop", "scroll-snap-type", "text-size-adjust", "user-select"],
          allowPropertyValues: { "overflow-wrap": ["anywhere"] }, // after a break-word that all know
          allowSelectors: ["focus-visible"],
        },
      ],
    },
  },
];
