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

/** The sheet in which a camera is named, then seen, then taken. */
export function cameraSheet({ now, store, act, toast }, sheet, close) {
  const change = (more) => store.change({ sheet: { ...store.get().sheet, ...more } });
  const tryIt = async (source) => {
    if (await act("camera/try", { source })) change({ asked: true });
  };
  const keep = async () => {
    if (!(await act("camera/keep"))) return;
    close();
    toast(word.box.startsAnew);
  };
  const { trial } = now.camera;
  const shown = sheet.asked && trial ? outcome(trial, keep, () => change({ asked: false })) : choice(now, sheet, change, tryIt);
  return [word.box.camera.choose, h("div", { class: "asked", role: "status", key: sheet.asked ? "outcome" : "choice" }, shown)];
}

function choice(now, { address }, change, tryIt) {
  const cameraWord = word.box.camera;
  const sources = [...now.camera.found.map(({ source }) => source), PHONE];
  return [
    h("ul", { class: "networks", key: "found" }, sources.map((source) => h("li", { key: source }, button("plain network", () => tryIt(source), { "data-source": source }, h("bdi", {}, nameOf(now, source)))))),
    h(
      "label",
      { class: "field", key: "address" },
      h("span", {}, cameraWord.address),
      h("input", { type: "text", inputmode: "url", value: address, maxlength: 300, autocapitalize: "none", autocomplete: "off", spellcheck: "false", placeholder: "http://192.168.1.20:8080/video", on: { input: ({ target }) => change({ address: target.value }) } }),
    ),
    h("p", { class: "quiet", key: "addressHint" }, cameraWord.addressHint),
    button("plain tryaddress", () => tryIt(whole(address)), { key: "try", disabled: !address.trim() || null }, cameraWord.tryIt),
  ];
}

const whole = (address) => (/^\w+:\/\//.test(address.trim()) ? address.trim() : `http://${address.trim()}`);

function outcome({ step, picture, trouble }, keep, again) {
  const cameraWord = word.box.camera;
  if (step === "trying") return h("p", { key: "trying" }, cameraWord.trying);
  const another = button("plain another", again, { key: "again" }, cameraWord.another);
  if (step === "failed") return [h("p", { class: "problem", key: "failed", role: "alert" }, textOf(trouble)), another];
  if (step !== "tried") return h("p", { key: "kept" }, word.box.startsAnew);
  return [
    h("p", { key: "works" }, picture ? cameraWord.sees : cameraWord.phoneHint),
    picture && h("img", { class: "seen", key: picture, src: `/api/v1/box/camera.jpg?picture=${picture}`, alt: cameraWord.sees }),
    h("p", { class: "quiet", key: "hint" }, picture ? cameraWord.keepHint : word.box.restartHint),
    button("go keepcamera", keep, { key: "keep" }, cameraWord.keep),
    another,
  ];
}
