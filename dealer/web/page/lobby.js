// Before the start: where to connect, what is promised, and who is here.
import { mark } from "./colours.js";
import { byId, make, nameTag, setText } from "./dom.js";

let shown = "";

export function showLobby(scene) {
  setText(byId("promise"), scene.commitment);
  if (scene.phase !== "lobby") return;
  setText(byId("here-count"), scene.players.length);
  showPorts(scene);
  showNames(scene);
}

function showPorts(scene) {
  const facts = JSON.stringify([scene.addresses, scene.port, scene.linePort, scene.acpcPort]);
  if (facts === shown) return;
  shown = facts;
  const ports = byId("ports");
  ports.replaceChildren();
  if (scene.port === null) {
    ports.append(make("p", { class: "plain" }, "The dealer starts the programs of this league itself."));
    return;
  }
  for (const address of scene.addresses) {
    const line = make("p", { class: "address" }, make("span", {}, "address "), make("b", {}, address));
    ports.append(line);
  }
  ports.append(make("p", { class: "port" }, make("span", {}, "port "), make("b", {}, String(scene.port))));
  for (const [who, port] of [
    ["Programs that send lines of text", scene.linePort],
    ["Programs of the Annual Computer Poker Competition", scene.acpcPort],
  ])
    if (port !== null) ports.append(make("p", { class: "lines" }, `${who}: port `, make("b", {}, String(port))));
}

function showNames(scene) {
  const list = byId("here");
  const old = [...list.children].map((item) => item.title + item.className);
  const now = [...scene.players.map((name) => name), ...scene.awaited.map((name) => `${name}awaited`)];
  if (JSON.stringify(old) === JSON.stringify(now)) return;
  const known = new Set([...list.children].map((item) => item.title));
  const items = scene.players.map((avatar, player) => {
    const item = make("li", { title: avatar }, mark(player), nameTag(avatar));
    if (list.children.length && !known.has(avatar)) item.animate?.({ opacity: [0, 1] }, 600);
    return item;
  });
  const awaited = scene.awaited.map((avatar) =>
    make("li", { class: "awaited", title: avatar }, nameTag(avatar), make("small", {}, " expected back")),
  );
  list.replaceChildren(...items, ...awaited);
}
