// A hand at its table, on every page: the pot and the board in the middle, and the seats around them.
import { mark } from "./colours.js";
import { brief, byId, card, isNews, make, nameTag, number, setText } from "./dom.js";

/**
 * Show a hand, as the dealer tells of it.
 * The page of a person at the table adds `me`, the person's seat, which is at the bottom; and `headline`, how the hand ended for the person.
 * @param players names by number
 * @param piece what a card of the game is called
 */
export function showHand({ players, piece }, table) {
  const { seats = [], board = [], pots = [], me = 0 } = table;
  setText(byId("pot"), table.hand ? `Pot ${number(table.pot)}` : "");
  setText(byId("pots"), pots.map(([chips], index) => `${index ? "side" : "main"}\u00a0${number(chips)}`).join(" \u00b7 "));
  showBoard(board);
  setText(byId("how"), table.headline ?? ending(table));
  const list = byId("seats");
  while (list.children.length < seats.length) list.append(make("li", { class: "seat" }));
  while (list.children.length > seats.length) list.lastElementChild.remove();
  const ring = [...seats.slice(me), ...seats.slice(0, me)];
  ring.forEach((seat, index) => showSeat(seat, players[seat.player] ?? "", piece, list.children[index]));
  list.firstElementChild?.classList.toggle("mine", table.me !== undefined);
  placeSeats(ring, board);
}

function ending(table) {
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
  if (isNews(list, cards)) list.replaceChildren(...cards.map((text) => card(text)));
}

function showSeat(seat, name, piece, item) {
  if (!isNews(item, [seat, name])) return;
  item.dataset.state = seat.won ? "won" : seat.turn ? "turn" : seat.chance !== undefined ? "chance" : seat.live ? "in" : "folded";
  const who = make("div", { class: "who" }, mark(seat.player), nameTag(name));
  if (seat.button) who.prepend(make("b", { class: "button", role: "img", "aria-label": "has the button" }, "D"));
  const plate = make("div", { class: "plate" }, who);
  if (seat.stack !== null) plate.append(make("span", { class: "stack", title: number(seat.stack) }, seat.allIn ? "all in" : brief(seat.stack)));
  item.replaceChildren(make("div", { class: "cards" }, ...cardsOf(seat, piece)), plate, make("div", { class: "did" }, deed(seat)));
}

/** The cards of a seat: hole cards with a frame, or backs for those that nobody here may see. */
export function cardsOf({ hole, hidden = 0, up = [] }, piece) {
  const held = hole ?? Array(hidden).fill(null);
  return [...held.map((text) => card(text, true, piece)), ...up.map((text) => card(text))];
}

/** What a seat won, must do or did last; for a person at the table with the chips that it has put in on this street. */
function deed(seat) {
  const words = lastDeed(seat);
  return seat.put && !seat.won && !words.endsWith(` ${seat.put}`) ? [words, `${number(seat.put)} in`].filter(Boolean).join(" \u00b7 ") : words;
}

function lastDeed(seat) {
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

// Where the seats are: on an ellipse, or, where only the table is shown, along the edges of the screen.

const STEPS = 720;
/** Sizes in units of a seat's letters: a card with its gap, what a seat has beside its cards, and the middle. */
const CARD = { width: 2.13, height: 2.7 };
const SEAT = { width: 8, height: 3.6, slim: 2.3 };
const MIDDLE = { width: 11.5, height: 7.3 };
/** A card is at least a twelfth of the screen's height where only the table is shown. */
const LEAST = 1 / 12;
/** What lies below the seats then, in letters of the page. */
const BELOW = 0.75;

const phone = matchMedia("(max-width: 700px)"); // where seats follow each other in rows
const oval = document.querySelector("#table-view .oval");
let last = null;
let placed = "";

/** Place the seats anew if there are others, or their cards or the screen need another room. */
function placeSeats(seats, board) {
  const cards = Math.max(2, ...seats.map((seat) => (seat.hole?.length ?? seat.hidden ?? 0) + (seat.up?.length ?? 0)));
  last = { count: seats.length, cards, board: Math.max(board.length, last?.count === seats.length ? last.board : 0) };
  place();
}

function place() {
  if (!last) return;
  const alone = document.documentElement.dataset.view === "table";
  const [width, height] = alone ? room() : []; // not measured without need: it lays the page out
  const facts = JSON.stringify([last, alone && [width, height, innerHeight]]);
  if (facts === placed) return;
  placed = facts;
  const list = byId("seats");
  list.dataset.seats = last.count <= 6 ? "few" : last.count <= 9 ? "some" : last.count <= 12 ? "many" : "most";
  const edges = alone && !phone.matches ? alongEdges(last, width, height) : null;
  const view = byId("table-view");
  view.dataset.places = !alone ? "ring" : edges ? "edges" : "rows";
  view.style.setProperty("--letters", `${edges ? edges.letters : (innerHeight * LEAST) / CARD.height}px`);
  view.style.setProperty("--seat", `${edges?.seat ?? SEAT.width}em`);
  (edges?.places ?? onEllipse(last.count)).forEach(([x, y], index) => {
    list.children[index].style.setProperty("--x", x.toFixed(4));
    list.children[index].style.setProperty("--y", y.toFixed(4));
  });
}

/** Width and height that the screen has for the seats, however high they make the page now. */
function room() {
  const { width, top } = oval.getBoundingClientRect();
  return [width, innerHeight - top - scrollY - BELOW * parseFloat(getComputedStyle(document.documentElement).fontSize)];
}

new ResizeObserver(place).observe(oval);
addEventListener("viewchange", place);

/** Points on an ellipse, equally far from each other along its edge; from -1 to 1. */
export function onEllipse(count) {
  const [width, height] = [1.9, 1];
  const at = (step) => Math.PI / 2 + (2 * Math.PI * step) / STEPS;
  const lengths = [0];
  for (let step = 1; step <= STEPS; step++) {
    const dx = width * (Math.cos(at(step)) - Math.cos(at(step - 1)));
    const dy = height * (Math.sin(at(step)) - Math.sin(at(step - 1)));
    lengths.push(lengths[step - 1] + Math.hypot(dx, dy));
  }
  return Array.from({ length: count }, (_, seat) => {
    const step = lengths.findIndex((length) => length >= (lengths[STEPS] * seat) / count);
    return [Math.cos(at(step)), Math.sin(at(step))];
  });
}

/** Centres of seats along the edges of a box, as parts of it, with the largest letters; null if cards get too small. */
function alongEdges({ count, cards, board }, width, height) {
  const seat = Math.max(SEAT.width, cards * CARD.width + 0.6);
  const high = CARD.height + (count > 12 ? SEAT.slim : SEAT.height);
  const middle = Math.max(MIDDLE.width, board * CARD.width);
  let best = null;
  for (let aside = 0; aside < count - 1; aside++) {
    const below = Math.ceil((count - aside) / 2);
    const left = Math.ceil(aside / 2);
    const rows = 2 * high + Math.max(MIDDLE.height, left * high);
    const columns = Math.max(below * seat, middle + (aside ? 2 * seat : 0));
    const letters = Math.min(width / columns, height / rows);
    if (!best || letters > best.letters) best = { letters, below, left, aside };
  }
  if (!best || best.letters * CARD.height < innerHeight * LEAST) return null;
  const along = (number, of) => (number + 0.5) / of;
  const { letters, below, left, aside } = best;
  const [right, above] = [aside - left, count - aside - below];
  const [edge, side] = [(high * letters) / 2 / height, (seat * letters) / 2 / width];
  const inner = (number, of) => 2 * edge + along(number, of) * (1 - 4 * edge);
  const list = (of, point) => Array.from({ length: of }, (_, number) => point(number));
  return {
    letters,
    seat,
    places: [
      ...list(below, (number) => [1 - along(number, below), 1 - edge]),
      ...list(left, (number) => [side, 1 - inner(number, left)]),
      ...list(above, (number) => [along(number, above), edge]),
      ...list(right, (number) => [1 - side, inner(number, right)]),
    ],
  };
}
