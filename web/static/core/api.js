// The module that changes things (`reveal/photo.js` sends pictures): one POST per tap. A tap counts once, however often it had to be sent.

import { say, textOf } from "../languages/language.js";

const PATIENCE = 5000; // ms that one request may take
const AGAIN = [400, 1500]; // ms before it is sent again, with the same key

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A key for one tap. `crypto.randomUUID` is missing on pages that come over http. */
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

// Send a request, again if the network gave no answer: the box knows the key, and carries it out once.
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
 * The requests of the page.
 *
 * `post(path, body)`: true when it was done; otherwise `refused` gets the sentence. A tap waits for the one before, and is
 * dropped with it if the box does not answer.
 * `ask(path, body)`: the same for requests about who this phone is, whose answer is the new `me`. Returns `{ok, said, wait}`.
 * `whoAmI()`: asks the box who this phone is; null if it does not answer.
 *
 * `seen` returns the version of the state on the screen at the tap; `stranger` is called for a tap on a phone that has not
 * joined.
 */
export function createApi({ store, take, toast, seen, stranger }) {
  const headers = (key, version) => {
    const { me } = store.get();
    const sent = { "Content-Type": "application/json", "Idempotency-Key": key, "X-Perudo-Version": String(version) };
    if (me && me.csrf) sent["X-Perudo-CSRF"] = me.csrf;
    return sent;
  };

  const underWay = new Set(); // the taps without an answer yet
  let last = Promise.resolve(); // the last of them: whether the box answered

  async function deliver(path, body, quiet, version = seen()) {
    const key = freshKey();
    const init = () => ({ method: "POST", headers: headers(key, version), body: JSON.stringify(body) });
    const slow = () => !quiet && toast(say.sentAgain, "slow");
    const answer = await send(path, init, slow);
    if (answer.status !== 403 || answer.said.error !== "csrf") return answer;
    await whoAmI(); // the phone has joined again in another window: try once more
    return send(path, init, slow);
  }

  async function post(path, body = {}, { quiet = false, refused = (sentence) => toast(sentence, "refused") } = {}) {
    const { me } = store.get();
    if (me && !me.joined) {
      stranger();
      return false;
    }
    const version = seen(); // at the tap, even if it is sent later
    const go = () => act(path, body, { quiet, refused, version });
    if (quiet) return (await go()) === true;
    const tap = `${path} ${JSON.stringify(body)}`;
    if (underWay.has(tap)) return false; // the same tap again, before the first was answered
    const waits = underWay.size > 0;
    underWay.add(tap);
    last = (waits ? last.then((done) => (done === null ? null : go())) : go()).finally(() => underWay.delete(tap));
    return (await last) === true;
  }

  // Whether it was done; null if the box gave no answer.
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
      return null; // the next connection asks again
    }
  }

  return { post, ask, whoAmI };
}
