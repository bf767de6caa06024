// Sentences that come up for some seconds, and go at a tap.

import { button, h } from "./dom.js";
import { textOf } from "../languages/language.js";

const STAYS = 7000; // ms
const MOST = 3;

/** `toast(said, kind)` shows a text, or what has a sentence, which is kept in `toasts` of the store; `view()` draws them. */
export function createToasts(store) {
  const dismiss = (id) => store.change({ toasts: store.get().toasts.filter((t) => t.id !== id) });

  const text = ({ said }) => (typeof said === "string" ? said : textOf(said));

  function toast(said, kind = "") {
    const id = performance.now();
    store.change({ toasts: [...store.get().toasts.filter((t) => text(t) !== text({ said })), { id, said, kind }].slice(-MOST) });
    setTimeout(() => dismiss(id), STAYS);
  }

  const view = () =>
    h(
      "div",
      { class: "toasts", key: "toasts", role: "alert" },
      store.get().toasts.map((t) => button(`toast ${t.kind}`, () => dismiss(t.id), { key: t.id }, text(t))),
    );

  return { toast, view };
}
