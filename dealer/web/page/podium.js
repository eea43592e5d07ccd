// The end: the first three on their steps, what else is honoured, and the seed.
import { coloured, mark } from "./colours.js";
import { byId, draw, isNews, make, markLong, milliseconds, nameTag, number, setText } from "./dom.js";

const PLACES = { 1: "first", 2: "second", 3: "third" };
const UNITS = { chips: "chips", average: "chips a game", won: "chips won", points: "points" };

export function showPodium(scene, board, news) {
  if (scene.phase !== "over") return;
  byId("proof").hidden = scene.seed === null; // imported hands follow from no seed
  setText(byId("seed"), scene.seed);
  setText(byId("promised"), scene.commitment);
  setText(byId("head"), scene.head ?? "");
  byId("journal-head").hidden = !scene.head;
  setText(byId("check"), `echo ${scene.seed} | xxd -r -p | sha256sum`);
  const best = board.rows.slice(0, 3);
  const leftIn = new Map((news?.out ?? []).map(([player, hand]) => [player, hand]));
  showHonours(scene, board.honours);
  if (!isNews(byId("steps"), [best, ...leftIn])) return;
  byId("steps").replaceChildren(
    ...best.map(({ player, place, score: chips }) =>
      make(
        "li",
        { "data-place": place },
        make("div", { class: "winner" }, ...(place === 1 ? [crown()] : []), nameTag(scene.players[player] ?? ""), make("span", {}, leftIn.has(player) ? `out in hand ${number(leftIn.get(player))}` : `${number(chips)} ${UNITS[scene.measure]}`)),
        coloured(make("div", { class: "block" }, make("span", { class: "unseen" }, PLACES[place] ?? ""), make("b", { "aria-hidden": "true" }, String(place))), player),
      ),
    ),
  );
  fitNames();
}

const fitNames = () => markLong(byId("steps").querySelectorAll(".name"));

new ResizeObserver(fitNames).observe(byId("steps"));

function crown() {
  const symbol = draw("svg", { class: "crown", "aria-hidden": "true" });
  symbol.append(draw("use", { href: "#crown" }));
  return symbol;
}

const HONOURS = [
  ["best", "Winner’s best hand", ([, chips, hand, why]) => `+${number(chips)} in hand ${number(hand)}${why && `: ${why}`}`],
  ["pot", "Biggest pot", ([, chips, hand, why]) => `${number(chips)} in hand ${number(hand)}${why && `: ${why}`}`],
  ["fastest", "Fastest program", ([, time]) => `half of its replies within ${milliseconds(time)}`],
  ["steadiest", "Steadiest program", ([, time]) => `99 of 100 replies within ${milliseconds(time)}`],
];

function showHonours(scene, honours) {
  if (!isNews(byId("honours"), honours)) return;
  byId("honours").replaceChildren(
    ...HONOURS.filter(([kind]) => honours?.[kind]).map(([kind, title, tell]) => {
      const player = honours[kind][0];
      const who = make("dd", { class: "known" }, mark(player), nameTag(scene.players[player] ?? ""));
      return make("div", {}, make("dt", {}, title), who, make("dd", { class: "soft", title: tell(honours[kind]) }, tell(honours[kind])));
    }),
  );
}
