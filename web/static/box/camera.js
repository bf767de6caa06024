// The box's camera: which one it is, and choosing another one, whose picture is looked at before it is kept.

import { button, h } from "../core/dom.js";
import { textOf, word } from "../languages/language.js";

const PHONE = "phone";
const UNDER_WAY = ["trying", "keeping", "kept"];

/** Whether the box is at something of which the page soon wants to know what came of it. */
export const isTrying = ({ camera }) => Boolean(camera && camera.trial && UNDER_WAY.includes(camera.trial.step));

/** The section of the page. */
export function cameraPart({ now, host, store }) {
  if (!now.camera) return null;
  const cameraWord = word.box.camera;
  const { source, trial } = now.camera;
  return h(
    "section",
    { class: "card camera", key: "camera", id: "camera" },
    h("h2", {}, cameraWord.title),
    h("p", { key: "source" }, h("bdi", {}, source === null ? cameraWord.first : nameOf(now, source))),
    host && trial && trial.step === "failed" && !store.get().sheet && h("p", { class: "problem", key: "trouble", role: "alert" }, textOf(trial.trouble)),
    trial && (trial.step === "keeping" || trial.step === "kept") && h("p", { class: "quiet", key: "kept" }, word.box.startsAnew),
    host && now.playing && h("p", { class: "quiet", key: "playing" }, word.box.update.notNow),
    host && button("plain othercamera", () => store.change({ sheet: { kind: "camera", address: "", asked: false } }), { key: "choose", disabled: now.playing || null }, cameraWord.choose),
  );
}

function nameOf({ camera }, source) {
  const cameraWord = word.box.camera;
  const found = camera.found.find((each) => each.source === source);
  return source === PHONE ? cameraWord.phone : source === "pi" ? cameraWord.pi : found ? found.name : source;
}

/** The sheet in which a camera is tried, and then taken. */
export function cameraSheet({ now, store, act, toast }, sheet, close) {
  const cameraWord = word.box.camera;
  const change = (more) => store.change({ sheet: { ...store.get().sheet, ...more } });
  const trial = sheet.asked ? now.camera.trial : null;
  const busy = isTrying(now) || null;
  const tryIt = async (source) => {
    if (await act("camera/try", { source })) change({ asked: true });
  };
  const keep = async () => {
    if (!(await act("camera/keep"))) return;
    close();
    toast(word.box.startsAnew);
  };
  const sources = [...now.camera.found.map(({ source }) => source), PHONE];
  return [
    cameraWord.choose,
    h(
      "div",
      { class: "asked" },
      h("ul", { class: "networks", key: "found" }, sources.map((source) => h("li", { key: source }, button("plain network", () => tryIt(source), { disabled: busy, "data-source": source }, h("bdi", {}, nameOf(now, source)))))),
      h(
        "label",
        { class: "field", key: "address" },
        h("span", {}, cameraWord.address),
        h("input", { type: "text", inputmode: "url", value: sheet.address, maxlength: 300, autocapitalize: "none", autocomplete: "off", spellcheck: "false", placeholder: "http://192.168.1.20:8080/video", on: { input: ({ target }) => change({ address: target.value }) } }),
      ),
      h("p", { class: "quiet", key: "addressHint" }, cameraWord.addressHint),
      button("plain tryaddress", () => tryIt(whole(store.get().sheet.address)), { key: "try", disabled: busy || !sheet.address.trim() || null }, cameraWord.tryIt),
      trial && h("div", { class: "trial", key: "trial", role: "status", mount: (element) => element.scrollIntoView({ block: "nearest" }) }, outcome(trial, keep)),
    ),
  ];
}

const whole = (address) => (/^\w+:\/\//.test(address.trim()) ? address.trim() : `http://${address.trim()}`);

function outcome({ step, picture, trouble }, keep) {
  const cameraWord = word.box.camera;
  if (step === "trying") return h("p", { key: "trying" }, cameraWord.trying);
  if (step === "failed") return h("p", { class: "problem", key: "failed", role: "alert" }, textOf(trouble));
  if (step !== "tried") return h("p", { key: "kept" }, word.box.startsAnew);
  return [
    h("p", { key: "works" }, picture ? cameraWord.sees : cameraWord.phoneHint),
    picture && h("img", { key: picture, src: `/api/v1/box/camera.jpg?picture=${picture}`, alt: cameraWord.sees }),
    h("p", { class: "quiet", key: "hint" }, picture ? cameraWord.keepHint : word.box.restartHint),
    button("go keepcamera", keep, { key: "keep" }, cameraWord.keep),
  ];
}
