// The only place that changes anything: one POST a tap. A tap counts once, however often it had to be sent.

import { say, textOf } from "../languages/language.js";

const PATIENCE = 5000; // ms that one sending may take
const AGAIN = [400, 1500]; // ms of waiting before it is sent again, with the same key

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A name for one tap. Not `crypto.randomUUID`: a page that came by http has none. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function once(path, init) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE);
  try {
    const answer = await fetch(`/api/v1/${path}`, { ...init, signal: abort.signal, cache: "no-store" });
    const said = await answer.json();
    return { ok: answer.ok, status: answer.status, said, wait: Number(answer.headers.get("Retry-After")) || 0 };
  } finally {
    clearTimeout(timer);
  }
}

// Sent, and sent again where the network gave no answer: the box knows the key, and does it once.
async function send(path, init, onRepeat) {
  for (const wait of AGAIN) {
    try {
      return await once(path, init());
    } catch {
      onRepeat();
      await sleep(wait);
    }
  }
  return once(path, init());
}

/**
 * How the page acts.
 *
 * `post(path, body)`: true when it was done; `refused` gets the sentence when not. Another tap waits for the one before, and
 * is let go with it where the box does not answer.
 * `ask(path, body)`: the same for who this phone is: the answer is the new `me`. Answers `{ok, said, wait}`.
 * `whoAmI()`: asks the box who this phone is; null when it does not answer.
 *
 * `seen` gives the version of the state that was on the screen at the tap, `stranger` is told of a tap on a phone that has
 * not joined.
 */
export function createApi({ store, take, toast, seen, stranger }) {
  const headers = (key, version) => {
    const { me } = store.get();
    const sent = { "Content-Type": "application/json", "Idempotency-Key": key, "X-Perudo-Version": String(version) };
    if (me && me.csrf) sent["X-Perudo-CSRF"] = me.csrf;
    return sent;
  };

  const underWay = new Set(); // the taps that have no answer yet
  let last = Promise.resolve(); // settles with the last of them: whether the box answered

  async function deliver(path, body, quiet, version = seen()) {
    const key = freshKey();
    const init = () => ({ method: "POST", headers: headers(key, version), body: JSON.stringify(body) });
    const slow = () => !quiet && toast(say.sentAgain, "slow");
    const answer = await send(path, init, slow);
    if (answer.status !== 403 || answer.said.error !== "csrf") return answer;
    await whoAmI(); // the phone joined anew in another window: once more with what is so now
    return send(path, init, slow);
  }

  async function post(path, body = {}, { quiet = false, refused = (sentence) => toast(sentence, "refused") } = {}) {
    const { me } = store.get();
    if (me && !me.joined) {
      stranger();
      return false;
    }
    const version = seen(); // of the tap, whenever it is sent
    const go = () => act(path, body, { quiet, refused, version });
    if (quiet) return (await go()) === true;
    const tap = `${path} ${JSON.stringify(body)}`;
    if (underWay.has(tap)) return false; // the same tap again, while the first is on its way
    const waits = underWay.size > 0;
    underWay.add(tap);
    last = (waits ? last.then((done) => (done === null ? null : go())) : go()).finally(() => underWay.delete(tap));
    return (await last) === true;
  }

  // Whether it was done; null where the box gave no answer.
  async function act(path, body, { quiet, refused, version }) {
    if (!quiet) store.change({ busy: path });
    try {
      const { ok, status, said } = await deliver(path, body, quiet, version);
      if (ok) {
        take(said);
        return true;
      }
      if (status === 401) {
        await whoAmI();
        stranger();
      } else refused(textOf(said) || say.refused);
      return false;
    } catch {
      toast(say.noAnswer, "refused");
      return null;
    } finally {
      if (!quiet) store.change({ busy: null });
    }
  }

  async function ask(path, body) {
    if (store.get().busy) return { ok: false, said: {}, wait: 0 };
    store.change({ busy: path });
    try {
      const answer = await deliver(path, body, true);
      if (answer.ok) store.change({ me: answer.said });
      return answer;
    } catch {
      return { ok: false, said: { message: say.noAnswer }, wait: 0 };
    } finally {
      store.change({ busy: null });
    }
  }

  async function whoAmI() {
    try {
      const { ok, said } = await once("me", {});
      if (!ok) return null;
      store.change({ me: said });
      return said;
    } catch {
      return null; // asked again with the next connection
    }
  }

  return { post, ask, whoAmI };
}
