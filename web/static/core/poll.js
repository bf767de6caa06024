// A page that asks the box for one address again and again, while it is looked at.

const PATIENCE = 8000; // ms for an answer

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The requests for `path`. `settle(now)` gets each answer; the store's `line` says whether the box answers, and its `now` why it
 * refuses. `pause()`: ms between two requests. `back()` is called at the first answer after none.
 * Returns `take(now)`, for the answer to a tap, after which those to earlier requests are outdated, and `start()`.
 */
export function createPoll({ path, store, settle, pause, back = () => {} }) {
  let taps = 0;

  function take(now) {
    taps += 1;
    settle(now);
  }

  async function look() {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), PATIENCE);
    const asked = taps;
    try {
      const answer = await fetch(path, { cache: "no-store", signal: abort.signal });
      const newer = answer.headers.get("X-Perudo-Build");
      if (newer && newer !== document.documentElement.dataset.build) location.reload();
      const now = await answer.json();
      if (store.get().line === false) back();
      if (!answer.ok) store.change({ line: true, now: { refused: now } });
      else if (asked === taps) settle(now);
    } catch {
      store.change({ line: false });
    } finally {
      clearTimeout(timer);
    }
  }

  async function start() {
    for (;;) {
      if (document.visibilityState === "visible") await look();
      await sleep(pause());
    }
  }

  return { take, start };
}
