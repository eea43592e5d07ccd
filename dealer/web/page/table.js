// One table of a tournament: its hand, what was skipped, and what happened in words.
import { mark } from "./colours.js";
import { byId, isNews, make, milliseconds, nameTag, number, setText, signed } from "./dom.js";
import { showHand } from "./places.js";

/** Show a hand, under what its table is called; returns what shows its actions in words, in a later frame. */
export function showTable(scene, table, title) {
  setText(byId("table-h"), title);
  setText(byId("street"), table.hand ? `hand ${number(table.hand)}${table.over ? ", finished" : `, street ${table.street}`}` : "");
  showSkipped(scene, table.skipped);
  showSlow(scene, table.slow);
  showHand(scene, table);
  return () => showLog(scene, table.log ?? []);
}

/** The hands that were not shown since the one before: how many, and the player who won most in them. */
function showSkipped(scene, skipped) {
  const line = byId("skipped");
  if (!isNews(line, skipped)) return;
  line.replaceChildren();
  if (!skipped) return;
  const [hands, player, chips] = skipped;
  line.append(`${number(hands)} ${hands === 1 ? "hand" : "hands"} skipped`);
  if (player !== null) line.append(", ", nameTag(scene.players[player] ?? ""), ` ${signed(chips)}`);
}

const SLOW = {
  out: (name) => ["how ", name, " goes out"],
  leader: (name) => ["how ", name, " took the lead"],
  pot: (name) => ["the largest pot so far, won by ", name],
  rare: (name, words) => [`${words}, by `, name],
};

/** Why a finished hand is shown again. */
function showSlow(scene, slow) {
  const line = byId("slow");
  line.hidden = !slow;
  if (!isNews(line, slow) || !slow) return;
  const [kind, player, words] = slow;
  line.replaceChildren("Slow motion: ", ...SLOW[kind](nameTag(scene.players[player] ?? ""), words));
}

function showLog(scene, lines) {
  const list = byId("log");
  if (!isNews(list, lines)) return;
  list.replaceChildren(
    ...lines.map(([player, words, micros]) => {
      const item = make("li", player === null ? { class: "street" } : {});
      if (player !== null) item.append(mark(player), " ", nameTag(scene.players[player] ?? ""), " ");
      item.append(make("span", {}, words));
      if (micros !== null) item.append(" ", make("small", {}, milliseconds(micros / 1000)));
      return item;
    }),
  );
  list.scrollTop = list.scrollHeight;
}
