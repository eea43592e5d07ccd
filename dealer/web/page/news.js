// Who is out and why, the last one first; faults of those who still play. New ones are read aloud.
import { mark } from "./colours.js";
import { byId, isNews, make, nameTag, number, setText } from "./dom.js";

let known = null;
let tournament = "";

export function showNews(scene, news, mayAnnounce) {
  if (scene.commitment !== tournament) {
    known = null;
    tournament = scene.commitment;
  }
  setText(byId("out-count"), news.out.length || "");
  if (mayAnnounce) announce(scene, news.out);
  if (!isNews(byId("out"), news)) return;
  const items = [...news.out.map((item) => out(scene, item)), ...news.faults.map((item) => fault(scene, item))];
  if (!items.length) items.push(make("li", { class: "none" }, "Nobody so far."));
  byId("out").replaceChildren(...items);
}

function out(scene, [player, hand, , why]) {
  const words = make("span", {}, `hand ${number(hand)}: `, make("bdi", {}, why));
  return make("li", {}, mark(player), " ", nameTag(scene.players[player] ?? ""), " ", words);
}

function fault(scene, [player, kind, why]) {
  const words = make("span", {}, `plays on after a fault (${kind}): `, make("bdi", {}, why));
  return make("li", { class: "fault" }, mark(player), " ", nameTag(scene.players[player] ?? ""), " ", words);
}

function announce(scene, gone) {
  const fresh = known === null ? [] : gone.filter(([player]) => !known.has(player));
  known = new Set(gone.map(([player]) => player));
  if (fresh.length) setText(byId("said"), fresh.map(([player, , , why]) => `${scene.players[player]} is out: ${why}`).join(". "));
}
