// The leader board: a row a place, with bars for chips; players are seen to move.
import { mark } from "./colours.js";
import { brief, byId, make, mayMove, milliseconds, nameTag, number, setText, signed } from "./dom.js";

const MEASURES = { chips: "Chips", average: "Average", won: "Chips won", points: "Points" };
const PAGE_MS = 7000;
const MOVING_ROWS = 16; // of more nobody could follow the moves
const ROWS_A_FRAME = 24; // hundreds at once would take longer than a frame lasts

const rows = []; // by place: rows stay where they are, and players move from one to another
let order = []; // the player in each row
let shown = "";
let topRow = 0; // the first that is in sight
const box = document.querySelector("#leaders .scroll");

/** Show the rows in sight; returns what shows the others in later frames, if there are many. */
export function showLeaders(scene, board, news) {
  const tournament = scene.commitment + scene.players.length;
  if (tournament !== shown) {
    rows.length = order.length = 0;
    byId("rows").replaceChildren();
    shown = tournament;
  }
  setText(byId("chips-head"), MEASURES[scene.measure]);
  const most = Math.max(1, ...board.rows.map((row) => Math.abs(row.score)));
  const why = new Map((news?.out ?? []).map(([player, hand]) => [player, hand]));
  while (rows.length < board.rows.length) rows.push(newRow());
  byId("rows").parentElement.style.setProperty("--rows", board.rows.length);
  const inSight = [...rows.keys()].slice(topRow);
  const fillFrom = (indices) => {
    for (const index of indices.slice(0, ROWS_A_FRAME)) {
      const facts = board.rows[index];
      fill(rows[index], scene.players[facts.player], facts, most, why.get(facts.player));
    }
    const rest = indices.slice(ROWS_A_FRAME);
    return rest.length ? () => fillFrom(rest) : null;
  };
  const rest = fillFrom([...inSight, ...rows.keys()].slice(0, rows.length));
  const before = order;
  order = board.rows.map(({ player }) => player);
  if (mayMove() && order.length <= MOVING_ROWS) move(before);
  return rest;
}

function newRow() {
  const made = {
    player: null,
    avatar: null,
    known: make("span", { class: "known" }),
    place: make("td", { class: "place", role: "cell" }),
    step: make("span", { class: "step" }),
    rank: make("b"),
    bar: make("span", { class: "fill" }),
    state: make("span", { class: "state" }),
    chips: make("td", { class: "chips", role: "cell" }),
    lately: make("td", { class: "lately", role: "cell" }),
    won: make("td", { class: "won", role: "cell" }),
    reply: make("td", { class: "reply", role: "cell" }),
  };
  made.place.append(made.rank, made.step);
  const who = make("th", { class: "who", scope: "row", role: "rowheader" });
  who.append(make("div", {}, made.known, made.state), make("div", { class: "track", "aria-hidden": "true" }, made.bar));
  made.line = make("tr", { role: "row" }, made.place, who, made.chips, made.lately, made.won, made.reply);
  byId("rows").append(made.line);
  return made;
}

function fill(row, avatar, { player, place, score: chips, climbed, gained, state, faults, won, reply }, most, leftIn) {
  if (row.player !== player || row.avatar !== avatar) {
    [row.player, row.avatar] = [player, avatar];
    row.known.replaceChildren(mark(player), nameTag(avatar));
  }
  row.line.dataset.state = state;
  row.line.dataset.place = place;
  setText(row.rank, place);
  setText(row.step, climbed ? `${climbed > 0 ? "▲" : "▼"}${Math.abs(climbed)}` : "");
  row.step.dataset.way = climbed > 0 ? "up" : climbed < 0 ? "down" : "";
  if (climbed) row.step.setAttribute("aria-label", `${climbed > 0 ? "up" : "down"} ${Math.abs(climbed)}`);
  else row.step.removeAttribute("aria-label");
  row.bar.style.setProperty("--part", Math.max(0, chips) / most);
  const notes = [];
  if (state === "out") notes.push(leftIn ? `hand ${number(leftIn)}` : "out");
  if (state === "away") notes.push("away");
  if (faults) notes.push(faults === 1 ? "1 fault" : `${faults} faults`);
  const long = state === "out" && leftIn ? "out in " : ""; // the grey row says it, and a narrow column has no room
  if (row.state.textContent !== long + notes.join(", ")) row.state.replaceChildren(...(long ? [make("span", { class: "unseen" }, long)] : []), notes.join(", "));
  row.state.title = row.state.textContent; // what a narrow column cuts
  setText(row.chips, state === "out" && !chips ? "–" : brief(chips));
  row.chips.title = number(chips); // every digit
  setText(row.lately, state === "out" ? "" : signed(gained));
  row.lately.dataset.way = gained > 0 ? "up" : gained < 0 ? "down" : "";
  setText(row.won, number(won));
  setText(row.reply, reply === null ? "–" : milliseconds(reply));
}

/** Let rows move to their places from where their players were before. */
function move(before) {
  const tops = rows.map(({ line }) => line.offsetTop);
  order.forEach((player, index) => {
    const by = tops[before.indexOf(player)] - tops[index]; // NaN for a player who was not there
    if (by) rows[index].line.animate({ transform: [`translateY(${by}px)`, "none"] }, { duration: 450, easing: "ease-out" });
  });
}

// Nobody scrolls on a projector, so the list turns its pages by itself, unless a viewer uses it.
setInterval(() => {
  if (box.scrollHeight <= box.clientHeight + 4 || box.matches(":hover, :focus, :focus-within")) return;
  if (innerWidth < 1100) return;
  const end = box.scrollTop + box.clientHeight >= box.scrollHeight - 4;
  box.scrollTo({ top: end ? 0 : box.scrollTop + box.clientHeight * 0.85, behavior: mayMove() ? "smooth" : "instant" });
}, PAGE_MS);

box.addEventListener("scroll", () => {
  topRow = Math.floor((rows.length * box.scrollTop) / box.scrollHeight);
});
