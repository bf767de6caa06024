// The box's buttons: which device and key is DUDO and CALZA, and learning them from a press.

import { button, h } from "../core/dom.js";
import { say, textOf, word } from "../languages/language.js";

/** The section of the page. */
export function buttonsPart({ now, host, act }) {
  if (!now.buttons) return null;
  const buttonsWord = word.box.buttons;
  const { buttons, lamps, trouble, learning, said } = now.buttons;
  const heard = learning ? said : said.slice(-1);
  return h(
    "section",
    { class: "card buttons", key: "buttons", id: "buttons" },
    h("h2", {}, buttonsWord.title),
    buttons.length > 0 && h("dl", { class: "places", key: "places" }, buttons.map(placeOf)),
    !learning && trouble && buttons.every(({ there }) => there) && h("p", { class: "quiet", key: "trouble" }, textOf(trouble)),
    host && learning && h("p", { class: "quiet", key: "hint" }, buttonsWord.learning),
    host && heard.length > 0 && h("ol", { class: "heard", key: "heard", role: "log" }, heard.map((each, n) => h("li", { key: n, class: n === heard.length - 1 ? "latest" : "" }, textOf(each)))),
    host && !learning && h("p", { class: "quiet", key: "what" }, lamps ? buttonsWord.instead : buttonsWord.hint),
    host && !learning && now.playing && h("p", { class: "quiet", key: "playing" }, word.box.update.notNow),
    host && (learning ? button("plain stop", () => act("buttons/stop"), { key: "stop" }, buttonsWord.stop) : button("plain learn", () => act("buttons/learn"), { key: "learn", disabled: now.playing || null }, buttonsWord.learn)),
  );
}

const placeOf = ({ name, place, there }) =>
  h("div", { key: name }, h("dt", {}, say[name]), h("dd", {}, h("bdi", {}, place), !there && h("span", { class: "gone" }, word.box.buttons.gone)));
