// How a game went: its story, and what each player did, beside what chance would have given.

import { button, h } from "./dom.js";
import { say } from "./words.js";

/** The way to it. */
export function storyButton(store) {
  return button("plain story", () => open(store), { key: "story" }, say.howItWent);
}

async function open(store) {
  store.change({ sheet: { kind: "story" } });
  let told = null;
  try {
    const answer = await fetch("/api/v1/story", { cache: "no-store" });
    if (answer.ok) told = await answer.json();
  } catch {
    // said below
  }
  const { sheet } = store.get();
  if (sheet && sheet.kind === "story") store.change({ sheet: { kind: "story", told, failed: !told } });
}

/** What the sheet holds. */
export function storyView({ told, failed }) {
  if (failed) return h("p", { class: "quiet" }, say.noAnswer);
  if (!told) return h("p", { class: "quiet" }, say.connecting);
  return h(
    "div",
    { class: "storyof" },
    told.statistics && table(told.statistics.players),
    told.story.map((line, n) => h("p", { key: n }, line)),
  );
}

function table(players) {
  const of = ({ right, called, expected }) => (called ? `${right}/${called} (${expected.toFixed(1)})` : "–");
  const luck = (player) => (player.called.times ? `${player.called.luck > 0 ? "+" : ""}${player.called.luck.toFixed(1)}` : "–");
  return h(
    "table",
    { class: "figures" },
    h("caption", { class: "quiet" }, say.figuresMean),
    h("thead", {}, h("tr", {}, ["", say.figureBids, say.figureDudos, say.figureCalzas, say.figureLuck].map((title, n) => h("th", { key: n, scope: "col" }, title)))),
    h(
      "tbody",
      {},
      players.map((player) =>
        h(
          "tr",
          { key: player.name },
          h("th", { scope: "row" }, h("bdi", {}, player.name)),
          [player.bids, of(player.dudos), of(player.calzas), luck(player)].map((value, n) => h("td", { key: n }, value)),
        ),
      ),
    ),
  );
}
