// Sentences that come up for some seconds, and go at a tap.

import { button, h } from "./dom.js";

const STAYS = 7000; // ms
const MOST = 3;

/** `toast(text, kind)` shows a sentence, which is kept in `toasts` of the store; `view()` draws them. */
export function createToasts(store) {
  const dismiss = (id) => store.change({ toasts: store.get().toasts.filter((t) => t.id !== id) });

  function toast(text, kind = "") {
    const id = performance.now();
    store.change({ toasts: [...store.get().toasts.filter((t) => t.text !== text), { id, text, kind }].slice(-MOST) });
    setTimeout(() => dismiss(id), STAYS);
  }

  const view = () =>
    h(
      "div",
      { class: "toasts", key: "toasts", role: "alert" },
      store.get().toasts.map((t) => button(`toast ${t.kind}`, () => dismiss(t.id), { key: t.id }, t.text)),
    );

  return { toast, view };
}
