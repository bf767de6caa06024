// The box's buttons: which device and key is DUDO and CALZA, and learning them from a press.

import { button, h } from "../core/dom.js";
import { say, textOf, word } from "../languages/language.js";

/** The section of the page. */
export function buttonsPart({ now, host, act }) {
  if (!now.buttons) return null;
  const buttonsWord = word.box.buttons;
  const { buttons, lamps, trouble, learning, said } = now.buttons;
  const off = now.playing ? true : null;
  return h(
    "section",
    { class: "card buttons", key: "buttons", id: "buttons" },
    h("h2", {}, buttonsWord.title),
    buttons.length > 0 && h("dl", { class: "places", key: "places" }, buttons.map(placeOf)),
    !learning && trouble && h("p", { class: "quiet", key: "trouble" }, textOf(trouble)),
    host && learning && h("p", { class: "quiet", key: "hint" }, buttonsWord.learning),
    host && said.length > 0 && h("ol", { class: "heard", key: "heard", role: "log" }, said.map((each, n) => h("li", { key: n, class: learning && n === said.length - 1 ? "latest" : "" }, textOf(each)))),
    host && !learning && h("p", { class: "quiet", key: "what" }, lamps ? buttonsWord.instead : buttonsWord.hint),
    host && !learning && now.playing && h("p", { class: "quiet", key: "playing" }, word.box.update.notNow),
    host && (learning ? button("plain stop", () => act("buttons/stop"), { key: "stop" }, buttonsWord.stop) : button("plain learn", () => act("buttons/learn"), { key: "learn", disabled: off }, buttonsWord.learn)),
  );
}

const placeOf = ({ name, place, there }) =>
  h("div", { key: name }, h("dt", {}, say[name]), h("dd", {}, h("bdi", {}, place), !there && h("span", { class: "gone" }, word.box.buttons.gone)));
