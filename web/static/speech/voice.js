// The browser's voice in the page's language, a few notes, and vibration.

import { own } from "../core/identity.js";
import { settings } from "../core/settings.js";
import { language, say, textOf } from "../languages/language.js";

// [frequency in Hz, beginning and length in s] of each note
const NOTES = {
  turn: [[660, 0, 0.14], [880, 0.13, 0.22]],
  call: [[330, 0, 0.16], [247, 0.15, 0.3]],
  right: [[523, 0, 0.16], [659, 0.14, 0.16], [784, 0.28, 0.32]],
  wrong: [[392, 0, 0.2], [330, 0.18, 0.2], [262, 0.36, 0.4]],
  won: [[523, 0, 0.15], [659, 0.14, 0.15], [784, 0.28, 0.15], [1047, 0.42, 0.6]],
};
const SHAKES = { turn: [90], call: [60, 50, 60], right: [160], wrong: [160], won: [90, 60, 90, 60, 280] }; // ms on, off, on ...
const LOUD = 0.18;
const FADE = 0.02; // s

/** What this browser supports. */
export const can = {
  voice: "speechSynthesis" in window && "SpeechSynthesisUtterance" in window,
  sound: "AudioContext" in window,
  vibration: "vibrate" in navigator,
};

/**
 * The news when `state` follows `before`: `{key, kind, text}`, or null.
 *
 * A phone with a seat announces only its own turn, one without everybody's. News with the same key is the same.
 */
export function news(before, state, me) {
  if (!before || state.paused) return null;
  const { phase, game, round, turn, call, bid, verdict } = state;
  const entered = before.phase !== phase || before.game !== game || before.paused;
  if (phase === "over" && state.winner) {
    const text = verdict ? textOf(verdict) : say.wonAlone(state.winner);
    return entered ? { key: `won ${game} ${text}`, kind: "won", text } : null;
  }
  if (phase === "verdict" && verdict) {
    const text = textOf(verdict);
    if (!entered && before.verdict && textOf(before.verdict) === text) return null;
    return { key: `verdict ${game} ${round} ${text}`, kind: verdict.correct ? "right" : "wrong", text };
  }
  if (phase === "reading" && entered && call) {
    return { key: `call ${game} ${round} ${call.player}`, kind: "call", text: `${say.calls(call.player, call.kind)}. ${say.cupsUp}` };
  }
  if (state.voided && !before.voided) {
    return { key: `void ${game} ${round} ${state.undo && state.undo.step}`, kind: "call", text: `${say.isVoid}. ${say.opens(turn)}.` };
  }
  if (phase !== "bidding" || !turn || !(entered || before.turn !== turn)) return null;
  const mine = own(me);
  if (mine && mine !== turn) return null;
  const key = `turn ${game} ${round} ${turn} ${bid ? `${bid.count} ${bid.face}` : ""}`;
  return { key, kind: "turn", text: mine ? say.yourTurn : bid ? say.turn(turn) : say.opens(turn) };
}

let last = "";

/** Say what is new, unless the page is hidden or it was said just now. */
export function tell(before, state, me) {
  const item = news(before, state, me);
  if (!item || item.key === last) return;
  last = item.key;
  if (document.visibilityState === "hidden") return;
  if (settings().sound) play(item.kind);
  if (settings().vibration) shake(item.kind);
  if (settings().voice) speak(item.text);
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden" && can.voice) speechSynthesis.cancel();
});

/** Say a text, and stop what is being said. */
export function speak(text) {
  if (!can.voice) return;
  speechSynthesis.cancel();
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = language;
  const voice = voiceFor(language);
  if (voice) utterance.voice = voice;
  speechSynthesis.speak(utterance);
}

// Prefer a voice on the phone itself: others send the text over the internet.
function voiceFor(wanted) {
  const fitting = voices().filter((voice) => speaks(voice, wanted));
  return fitting.find((voice) => voice.localService && voice.default) || fitting.find((voice) => voice.localService) || fitting[0];
}

const speaks = (voice, wanted) => voice.lang.toLowerCase().replace("_", "-").split("-")[0] === wanted;
const voices = () => (can.voice ? speechSynthesis.getVoices() : []);

/** Whether the browser has listed its voices, and none is for the page's language. */
export const speechless = () => voices().length > 0 && !voices().some((voice) => speaks(voice, language));

let audio = null;

function wake() {
  if (!audio) audio = new AudioContext();
  if (audio.state !== "running") audio.resume();
}

/** Play the notes for "turn", "call", "right", "wrong" or "won". */
export function play(kind) {
  if (!can.sound) return;
  wake();
  for (const [frequency, begin, length] of NOTES[kind]) note(frequency, audio.currentTime + begin, length);
}

function note(frequency, begin, length) {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = "triangle";
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(LOUD, begin + FADE);
  volume.gain.linearRampToValueAtTime(0, begin + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(begin);
  tone.stop(begin + length);
}

/** Shake the phone for "turn", "call", "right", "wrong" or "won". */
export function shake(kind) {
  if (can.vibration) navigator.vibrate(SHAKES[kind]);
}

let spoken = false;

/** Call this during a tap: only then does a phone allow sound and voice from then on. */
export function unlock() {
  if (settings().sound && can.sound) wake();
  if (settings().voice && can.voice && !spoken) {
    spoken = true;
    const silence = new SpeechSynthesisUtterance(" ");
    silence.volume = 0;
    speechSynthesis.speak(silence);
  }
}
