// Who is here: a row for each player, which is kept while the player is shown, so that focus and scrolling stay.
import { byId, make, milliseconds, nameTag, number, setText } from "/dom.js";
import { ask } from "/host/ask.js";

const FILTERS = {
  all: ["all", () => true],
  playing: ["playing", (player) => player.out === null],
  away: ["away", (player) => player.out === null && !player.here],
  faults: ["with faults", (player) => player.faults > 0],
  out: ["out", (player) => player.out !== null],
};

/** What comes first, by the name of the order: numbers from the least on, the same number in the order of the dealer. */
const SORTS = {
  place: ["place", (player) => player.place ?? 0],
  slow: ["slowest", (player) => -(player.p99_ms ?? -1)],
  faults: ["most faults", (player) => -player.faults],
  name: ["name", null],
};

const rows = new Map();
let players = [];
let give = () => {};

export function bindPlayers(order) {
  give = order;
  fill("filter", FILTERS);
  fill("sort", SORTS);
  byId("search").addEventListener("input", list);
  byId("search").addEventListener("keydown", (event) => event.key === "Escape" && byId("search").blur());
  setInterval(() => players.length && list(), 1000); // how long ago a reply came
}

function fill(id, choices) {
  byId(id).append(...Object.entries(choices).map(([value, [name]]) => make("option", { value }, name)));
  byId(id).addEventListener("change", list);
}

export function showPlayers(facts) {
  players = facts;
  const ids = new Set(players.map((player) => player.id));
  for (const id of rows.keys()) if (!ids.has(id)) rows.delete(id);
  list();
}

const words = (player) => [player.id, player.avatar, player.name, player.address].join("\n").toLowerCase();

function list() {
  const wanted = byId("search").value.trim().toLowerCase();
  const fits = FILTERS[byId("filter").value][1];
  const shown = players.filter((player) => fits(player) && words(player).includes(wanted));
  const by = SORTS[byId("sort").value][1];
  shown.sort(by ? (a, b) => by(a) - by(b) : (a, b) => a.avatar.localeCompare(b.avatar));
  const lines = shown.map(row);
  const body = byId("players");
  if (lines.length !== body.children.length || lines.some((line, index) => body.children[index] !== line)) arrange(body, lines);
  setText(byId("people-count"), shown.length === players.length ? number(players.length) : `${number(shown.length)} of ${number(players.length)}`);
  byId("none").hidden = shown.length > 0;
  setText(byId("none"), players.length ? "No player fits." : "Nobody is here yet.");
}

/** Put rows in order and move none that stands right, since a row that is moved loses its focus. */
function arrange(body, lines) {
  const wanted = new Set(lines);
  for (const line of [...body.children]) if (!wanted.has(line)) line.remove();
  lines.forEach((line, index) => {
    if (body.children[index] !== line) body.insertBefore(line, body.children[index] ?? null);
  });
}

function row(player) {
  if (!rows.has(player.id)) rows.set(player.id, build(player));
  const line = rows.get(player.id);
  const { who, cells, remove, readmit } = line.parts;
  setText(who, [player.id, player.name, player.address, timeUsed(player)].filter(Boolean).join(" · "));
  setText(cells.place, player.place ?? "");
  setText(cells.chips, player.chips === undefined ? "" : number(player.chips));
  setText(cells.table, player.table ?? "");
  setText(cells.reply, reply(player));
  setText(cells.p99, player.p99_ms === null ? "" : milliseconds(player.p99_ms));
  setText(cells.faults, player.faults || "");
  setText(cells.state, state(player));
  line.dataset.state = player.let_in ? "away" : player.out !== null ? "out" : player.leaving || !player.here ? "away" : player.faults ? "fault" : "";
  remove.hidden = player.out !== null || Boolean(player.leaving);
  readmit.hidden = player.out === null || Boolean(player.let_in);
  return line;
}

function build(player) {
  const who = make("small");
  const name = make("th", { scope: "row" }, nameTag(player.avatar), who);
  const cells = {};
  for (const [key, label] of Object.entries({ place: "place", chips: "chips", table: "table", reply: "last reply", p99: "p99", faults: "faults", state: "state" }))
    cells[key] = make("td", { class: `${key}${key === "state" ? "" : " figure"}`, "data-label": label });
  const remove = make("button", { type: "button", "aria-label": `Remove ${player.avatar}` }, "Remove");
  remove.addEventListener("click", async () => {
    const reason = await ask(`Remove ${player.avatar}?`, "Remove", { label: "Reason, which the player hears and all may read" });
    if (reason !== null) give({ command: "remove", player: `id=${player.id}`, reason });
  });
  const readmit = make("button", { type: "button", "aria-label": `Let ${player.avatar} in again`, title: "with the chips it had; its program must log in again" }, "Let in again");
  readmit.addEventListener("click", () => give({ command: "readmit", player: `id=${player.id}` }));
  const line = make("tr", {}, name, ...Object.values(cells), make("td", { class: "do" }, remove, readmit));
  line.parts = { who, cells, remove, readmit };
  return line;
}

function state(player) {
  if (player.let_in) return player.here ? "let in, waits for a seat" : "let in, must log in again";
  if (player.out !== null) return player.out.startsWith("you are ") ? player.out.replace("you are ", "") : player.out;
  if (player.leaving) return "leaves after this hand";
  return player.here ? "here" : "away";
}

/** Of a program of the ACPC, whose answers may take so many seconds in all. */
function timeUsed(player) {
  return player.seconds_used === undefined ? "" : `${number(player.seconds_used)} of ${number(player.seconds_allowed)} s used`;
}

function reply(player) {
  if (player.thinking !== null) return `thinking, ${player.thinking.toFixed(1)} s`;
  if (player.replied === null) return "";
  const ago = Math.max(0, Math.round(Date.now() / 1000 - player.replied));
  return `${milliseconds(player.reply_ms)}${ago > 1 ? `, ${ago < 120 ? `${ago} s` : `${Math.round(ago / 60)} min`} ago` : ""}`;
}
