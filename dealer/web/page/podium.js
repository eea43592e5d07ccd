// The end: the first three, calmly, and the seed.
import { mark } from "./colours.js";
import { byId, make, nameTag, number, setText } from "./dom.js";

const PLACES = { 1: "first", 2: "second", 3: "third" };
const UNITS = { chips: "chips", average: "chips a game", won: "chips won", points: "points" };
let shown = "";

export function showPodium(scene, board, news) {
  if (scene.phase !== "over") return;
  setText(byId("seed"), scene.seed);
  setText(byId("promised"), scene.commitment);
  setText(byId("head"), scene.head ?? "");
  byId("journal-head").hidden = !scene.head;
  setText(byId("check"), `echo ${scene.seed} | xxd -r -p | sha256sum`);
  const best = board.rows.slice(0, 3);
  const leftIn = new Map((news?.out ?? []).map(([player, hand]) => [player, hand]));
  const facts = JSON.stringify([best, scene.commitment, ...leftIn]);
  if (facts === shown) return;
  shown = facts;
  byId("steps").replaceChildren(
    ...best.map(([player, place, chips]) =>
      make(
        "li",
        { "data-place": place },
        make("div", { class: "winner" }, mark(player), nameTag(scene.players[player] ?? ""), make("span", {}, leftIn.has(player) ? `out in hand ${number(leftIn.get(player))}` : `${number(chips)} ${UNITS[scene.measure]}`)),
        make("div", { class: "block" }, make("span", { class: "unseen" }, PLACES[place] ?? ""), make("b", { "aria-hidden": "true" }, String(place))),
      ),
    ),
  );
}
