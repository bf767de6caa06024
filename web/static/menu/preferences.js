// The settings of this phone: language, dark or light, voice, sounds and vibration.

import { loadVoice } from "../speech/lazy-voice.js";
import { button, h } from "../core/dom.js";
import { choose, persistent, settings } from "../core/settings.js";
import { can, play, shake, speak as utter, speechless, unlock } from "../speech/voice.js";
import { languageChoice } from "../languages/choice.js";
import { say } from "../languages/language.js";

const THEMES = ["auto", "dark", "light"];

/** The sheet: [title, content]. */
export function sheet({ store, toast }) {
  const redraw = () => store.change({});
  const unspoken = () => {
    toast(say.noAnswer, "refused");
    redraw(); // the words could not be loaded: show the current language as chosen
  };
  const pick = (part) => {
    choose(part);
    redraw();
  };
  return [
    say.settings,
    h(
      "div",
      { class: "settings" },
      languageChoice(redraw, unspoken),
      h(
        "div",
        { class: "field", role: "group", "aria-label": say.theme },
        h("span", {}, say.theme),
        h(
          "div",
          { class: "choices" },
          THEMES.map((theme) =>
            button(
              "plain choice",
              () => pick({ theme }),
              { key: theme, "data-theme": theme, "aria-pressed": String(settings().theme === theme) },
              say.themes[theme],
            ),
          ),
        ),
      ),
      toggle("voice", { pick, able: can.voice, hint: can.voice && speechless() ? say.noVoice : say.voiceHint, test: () => utter(say.voiceTest) }),
      toggle("sound", { pick, able: can.sound, hint: say.soundHint, test: () => play("turn") }),
      toggle("vibration", { pick, able: can.vibration, hint: say.vibrationHint, test: () => shake("turn") }),
      h("p", { class: "quiet" }, persistent ? say.keptHere : say.notKept),
    ),
  ];
}

// A switch, what it does, and a button to try it without switching it on.
function toggle(name, { pick, able, hint, test }) {
  const on = able && settings()[name];
  const switched = ({ target }) => {
    pick({ [name]: target.checked });
    unlock(); // allowed, because this is a tap
  };
  return h(
    "div",
    { class: "toggle", key: name, "data-setting": name },
    h(
      "label",
      { class: "field check" },
      h("input", { type: "checkbox", checked: on, disabled: !able, on: { change: switched } }),
      h("span", {}, h("span", { class: "switchname" }, say.switches[name]), h("span", { class: "quiet" }, able ? hint : say.cannot)),
    ),
    button("plain try", test, { disabled: !able, "aria-label": say.pair(say.tryIt, say.switches[name]) }, say.tryIt),
  );
}

loadVoice(); // so that what is switched on here works at once
