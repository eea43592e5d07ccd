// One table: seats in a ring, their cards, the pot, and what happened in words.
import { mark } from "./colours.js";
import { brief, byId, card, make, milliseconds, nameTag, number, setText, signed, suitSymbol } from "./dom.js";
import { placeSeats } from "./places.js";

/** Show a hand, under what its table is called; returns what shows its actions in words, in a later frame. */
export function showTable(scene, table, title) {
  setText(byId("table-h"), title);
  const seats = table.seats ?? [];
  setText(byId("street"), table.hand ? `hand ${number(table.hand)}${table.over ? ", finished" : `, street ${table.street}`}` : "");
  showSkipped(scene, table.skipped);
  showSlow(scene, table.slow);
  setText(byId("pot"), table.hand ? `Pot ${number(table.pot)}` : "");
  setText(byId("pots"), (table.pots ?? []).map(([chips], index) => `${index ? "side" : "main"}\u00a0${number(chips)}`).join(" \u00b7 "));
  showBoard(table.board ?? []);
  setText(byId("how"), ending(scene, table));
  makeSeats(seats.length);
  seats.forEach((seat, index) => showSeat(scene, seat, byId("seats").children[index]));
  placeSeats(seats, table.board ?? []);
  return () => showLog(scene, table.log ?? []);
}

/** The hands that were not shown since the one before: how many, and the player who won most in them. */
function showSkipped(scene, skipped) {
  const line = byId("skipped");
  const facts = JSON.stringify(skipped ?? null);
  if (line.dataset.facts === facts) return;
  line.dataset.facts = facts;
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
  const facts = JSON.stringify(slow ?? null);
  if (line.dataset.facts === facts) return;
  line.dataset.facts = facts;
  if (!slow) return;
  const [kind, player, words] = slow;
  line.replaceChildren("Slow motion: ", ...SLOW[kind](nameTag(scene.players[player] ?? ""), words));
}

function ending(scene, table) {
  if (table.closed) return "This table is closed.";
  if (!table.hand) return "The first hand is about to be dealt.";
  if (table.allIn) return "All in: chances to win";
  if (!table.over) return "";
  if (table.carried) return `a tie: ${number(table.carried)} chips wait for the next hand`;
  const winners = table.seats.filter((seat) => seat.won);
  return winners.length === 1 ? winners[0].why : "the pot is shared";
}

/** The cards that belong to all seats, in games that have such cards. */
function showBoard(cards) {
  const list = byId("board-cards");
  const facts = cards.join(" ");
  if (list.dataset.facts === facts) return;
  list.dataset.facts = facts;
  list.replaceChildren(...cards.map((text) => card(text)));
}

/** What each suit is called, in games with names of their own for them. */
export function showSuits(names) {
  const list = byId("suits");
  const facts = JSON.stringify(names);
  if (list.dataset.facts === facts) return;
  list.dataset.facts = facts;
  list.hidden = !Object.keys(names).length;
  list.replaceChildren(
    ...Object.entries(names).map(([suit, name]) => make("li", { "data-suit": suit }, suitSymbol(suit), ` ${name}`)),
  );
}

function makeSeats(count) {
  const list = byId("seats");
  while (list.children.length < count) list.append(make("li", { class: "seat" }));
  while (list.children.length > count) list.lastElementChild.remove();
}

function showSeat(scene, seat, item) {
  const facts = JSON.stringify(seat);
  if (item.dataset.facts === facts) return;
  item.dataset.facts = facts;
  item.dataset.state = seat.won ? "won" : seat.turn ? "turn" : seat.chance !== undefined ? "chance" : seat.live ? "in" : "folded";
  const hole = seat.hole ?? Array(seat.hidden ?? 0).fill(null);
  const cards = make("div", { class: "cards" }, ...hole.map((text) => card(text, true, scene.piece)), ...(seat.up ?? []).map((text) => card(text)));
  const who = make("div", { class: "who" }, mark(seat.player), nameTag(scene.players[seat.player] ?? ""));
  if (seat.button) who.prepend(make("b", { class: "button", role: "img", "aria-label": "has the button" }, "D"));
  const plate = make("div", { class: "plate" }, who);
  plate.append(make("span", { class: "stack", title: number(seat.stack) }, seat.allIn ? "all in" : brief(seat.stack)));
  item.replaceChildren(cards, plate, make("div", { class: "did" }, deed(seat)));
}

function deed(seat) {
  if (seat.won) return `+${number(seat.won)}${seat.worth ? ` ${seat.worth}` : ""}`;
  if (seat.turn) return "to act";
  if (seat.chance !== undefined) return percent(seat.chance);
  return seat.last || (seat.worth ?? "");
}

/** A chance as whole per cent; one that is small, but there, is not shown as none. */
function percent(chance) {
  const value = Math.round(100 * chance);
  if (chance > 0 && value < 1) return "<1 %";
  if (chance < 1 && value > 99) return ">99 %";
  return `${value} %`;
}

function showLog(scene, lines) {
  const list = byId("log");
  const facts = JSON.stringify(lines);
  if (list.dataset.facts === facts) return;
  list.dataset.facts = facts;
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
