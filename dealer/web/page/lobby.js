// Before the start: where to connect, what is promised, and who is here.
import { mark } from "./colours.js";
import { byId, isNews, make, markLong, nameTag, setText } from "./dom.js";
import { showLines } from "./join.js";

/** The height of a name's box, and the width of a usual name, in its letters. */
const BOX = { height: 2.1, width: 9.5 };
const LARGEST = 5; // in letters of the page
const SMALLEST = 0.65; // of more names than fit at this size, the list scrolls

export function showLobby(scene) {
  setText(byId("promise"), scene.commitment);
  if (scene.phase !== "lobby") return;
  setText(byId("here-count"), scene.seats ? `${scene.players.length} of ${scene.seats}` : scene.players.length);
  showPorts(scene);
  showLines(scene);
  showNames(scene);
}

function showPorts(scene) {
  const ports = byId("ports");
  if (!isNews(ports, [scene.addresses, scene.ports, scene.page])) return;
  showCode(scene.page);
  ports.replaceChildren();
  if (!scene.ports.length) {
    ports.append(make("p", { class: "plain" }, "The dealer starts the programs of this league itself."));
    return;
  }
  for (const address of scene.addresses) {
    const line = make("p", { class: "address" }, make("span", {}, "address "), make("b", {}, address));
    ports.append(line);
  }
  const [usual, ...others] = scene.ports;
  ports.append(make("p", { class: "port" }, make("span", {}, "port "), make("b", {}, String(usual.number))));
  for (const { who, number } of others)
    ports.append(make("p", { class: "lines" }, `${who[0].toUpperCase()}${who.slice(1)}: port `, make("b", {}, String(number))));
  if (others.some((port) => port.name === "people_port"))
    ports.append(make("p", { class: "lines" }, "People in a browser: ", make("a", { href: "play" }, scene.page ? `${shortened(scene.page)}play` : "play")));
}

/** An address as people type it. */
function shortened(address) {
  return address.replace(/^http:\/\//, "");
}

function showCode(page) {
  byId("code").hidden = !page;
  if (!page) return;
  byId("qr").setAttribute("src", "qr.svg");
  setText(byId("page"), shortened(page));
}

/** When the tournament starts: whichever comes first. */
export function showStart(scene, lobby) {
  if (scene.phase !== "lobby") return;
  const ways = [];
  if (scene.seats) ways.push(`when ${scene.seats} players are here`);
  const left = lobby?.startsIn ?? null;
  if (left !== null) ways.push(left ? `in ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : "as soon as two players are here");
  ways.push("when the host says so");
  setText(byId("start"), !scene.ports.length ? "" : `It starts ${ways.join(", or ")}.`);
}

/** Names as large as they all fit; long ones take two lines of half the size. */
function fitNames() {
  const list = byId("here");
  const { width, height } = list.getBoundingClientRect();
  const count = list.children.length;
  if (!width || !count) return;
  const letter = parseFloat(getComputedStyle(document.documentElement).fontSize);
  let best = [0, 1];
  for (let columns = 1; columns <= count; columns++) {
    const size = Math.min(width / columns / BOX.width, height / Math.ceil(count / columns) / BOX.height, LARGEST * letter);
    if (size > best[0]) best = [size, columns];
  }
  list.style.setProperty("--columns", best[1]);
  list.style.setProperty("--name", `${Math.max(best[0], SMALLEST * letter)}px`);
  markLong(list.querySelectorAll(".name"));
}

new ResizeObserver(fitNames).observe(byId("here"));

function showNames(scene) {
  const list = byId("here");
  if (!isNews(list, [scene.commitment, scene.players, scene.awaited])) return;
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
  fitNames();
}
