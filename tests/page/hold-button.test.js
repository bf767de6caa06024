import assert from "node:assert/strict";
import { test } from "node:test";

import { AGAIN, HOLD, createHold } from "../../web/static/game/hold-button.js";

/** What a button that is held in these steps calls; `pass(ms)` lets time pass. */
function calls(steps) {
  let now = 0;
  const timers = new Map();
  const clock = { now: () => now, set: (done, ms) => timers.set(done, now + ms) && done, clear: (done) => timers.delete(done) };
  const pass = (ms) => {
    now += ms;
    for (const [done, at] of [...timers]) if (at <= now && timers.delete(done)) done();
  };
  const called = [];
  const note = (name) => (keys) => called.push(keys ? `${name} by keys` : name);
  steps(createHold({ held: note("held"), early: note("early"), begun: note("begun"), ended: note("ended") }, clock), pass);
  pass(2 * AGAIN);
  return called.join(", ");
}

const keys = { keys: true };
const press = (hold, kind = {}) => {
  hold.down(kind);
  hold.up(kind);
};

for (const [what, steps, expected] of [
  ["let go too early", (hold, pass) => (hold.down(), pass(HOLD - 1), hold.up()), "begun, ended, early"],
  ["held", (hold, pass) => (hold.down(), pass(HOLD), hold.up()), "begun, ended, held"],
  ["tapped twice", (hold, pass) => (press(hold), pass(100), press(hold)), "begun, ended, early, begun, ended, early"],
  ["a key twice", (hold, pass) => (press(hold, keys), pass(AGAIN), press(hold, keys)), "begun, ended, early by keys, held"],
  [
    "a key again too late",
    (hold, pass) => (press(hold, keys), pass(AGAIN + 1), press(hold, keys)),
    "begun, ended, early by keys, begun, ended, early by keys",
  ],
  ["a key that repeats", (hold, pass) => (hold.down(keys), hold.down(keys), pass(HOLD), hold.up(keys)), "begun, ended, held"],
  [
    "a key, a tap and a key",
    (hold) => (press(hold, keys), press(hold), press(hold, keys)),
    "begun, ended, early by keys, begun, ended, early, begun, ended, early by keys",
  ],
]) {
  test(what, () => assert.equal(calls(steps), expected));
}
