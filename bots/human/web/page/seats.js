// The table: seats in a ring with the person at the bottom, the board and the pot.
import { mark } from "./colours.js";
import { brief, byId, card, make, nameTag, number, setText } from "./dom.js";
import { placeSeats } from "./places.js";

export function showTable(scene, piece) {
  setText(byId("pot"), scene ? `Pot ${number(scene.pot)}` : "");
  setText(byId("pots"), (scene?.pots ?? []).map((chips, index) => `${index ? "side" : "main"}\u00a0${number(chips)}`).join(" · "));
  setText(byId("how"), scene?.headline ?? "");
  showBoard(scene?.board ?? []);
  const seats = scene?.seats ?? [];
  const list = byId("seats");
  while (list.children.length < seats.length) list.append(make("li", { class: "seat" }));
  while (list.children.length > seats.length) list.lastElementChild.remove();
  const ring = seats.map((_, step) => (scene.me + step) % seats.length); // the person first, at the bottom
  ring.forEach((seat, place) => showSeat(seats[seat], { seat, mine: !place, acts: scene.toAct === seat, piece }, list.children[place]));
  if (seats.length) placeSeats(ring.map((seat) => seats[seat]), scene.board);
}

function showBoard(cards) {
  const list = byId("board-cards");
  const facts = cards.join(" ");
  if (list.dataset.facts === facts) return;
  list.dataset.facts = facts;
  list.replaceChildren(...cards.map((text) => card(text)));
}

function showSeat(view, { seat, mine, acts, piece }, item) {
  const facts = JSON.stringify([view, seat, mine, acts]);
  if (item.dataset.facts === facts) return;
  item.dataset.facts = facts;
  item.classList.toggle("mine", mine);
  const won = view.note.startsWith("win");
  item.dataset.state = won ? "won" : acts ? "turn" : view.place === "in" ? "in" : "folded";
  const who = make("div", { class: "who" }, mark(seat), nameTag(mine ? "you" : view.name));
  if (view.button) who.prepend(make("b", { class: "button", role: "img", "aria-label": "has the button" }, "D"));
  const plate = make("div", { class: "plate" }, who);
  const stack = view.allIn ? "all in" : view.stack === null ? "" : brief(view.stack);
  if (stack) plate.append(make("span", { class: "stack" }, stack));
  const did = view.place === "in" ? view.note || (acts ? "to act" : "") : view.place === "out" ? "out" : "folded";
  item.replaceChildren(make("div", { class: "cards" }, ...cardsOf(view, piece)), plate, make("div", { class: "did" }, did));
}

/** The cards of a seat: hole cards with a frame, backs for those that nobody here may see. */
export function cardsOf(view, piece) {
  return [
    ...view.hole.map((text) => card(text, true)),
    ...Array.from({ length: view.hidden }, () => card(null, true, piece)),
    ...view.up.map((text) => card(text)),
  ];
}
