// The story of a game, and what each player did, compared with chance.

import { button, h } from "../core/dom.js";
import { language, loadWords, say, textOf } from "../languages/language.js";

/** The button that opens it. */
export function storyButton(store) {
  return button("plain story", () => open(store), { key: "story" }, say.howItWent);
}

async function open(store) {
  store.change({ sheet: { kind: "story" } });
  let story = null;
  let failed = "";
  try {
    const [answer] = await Promise.all([fetch("/api/v1/story", { cache: "no-store" }), loadWords("story-messages", "rules-messages")]);
    const said = await answer.json();
    if (answer.ok) story = said;
    else failed = textOf(said);
  } catch {
    failed = say.noAnswer;
  }
  const { sheet } = store.get();
  if (sheet && sheet.kind === "story") store.change({ sheet: { kind: "story", story, failed } });
}

/** [title, content] of the sheet. */
export const sheet = (_, opened) => [say.howItWent, storyView(opened)];

/** The story and the figures, or what there is instead. */
export function storyView({ story, failed }) {
  if (failed) return h("p", { class: "quiet", role: "alert" }, failed);
  if (!story) return h("p", { class: "quiet" }, say.connecting);
  return h(
    "div",
    { class: "storyof" },
    story.statistics && table(story.statistics.players),
    story.story.map((sentence, n) => h("p", { key: n }, textOf({ sentence, said: story.said[n] }))),
  );
}

const tenths = (value) => value.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function table(players) {
  const of = ({ right, called, expected }) => (called ? `${right}/${called} (${tenths(expected)})` : "–");
  return h(
    "table",
    { class: "figures" },
    h("caption", { class: "quiet" }, say.figuresMean),
    h("thead", {}, h("tr", {}, h("td"), [say.figureBids, say.figureDudos, say.figureCalzas].map((title, n) => h("th", { key: n, scope: "col" }, title)))),
    h(
      "tbody",
      {},
      players.map((player) =>
        h(
          "tr",
          { key: player.name },
          h("th", { scope: "row" }, h("bdi", {}, player.name)),
          [player.bids, of(player.dudos), of(player.calzas)].map((value, n) => h("td", { key: n }, value)),
        ),
      ),
    ),
  );
}
