// The page of a person who plays: one screen at a time, as the server's last message says.
import * as bets from "./bets.js";
import { byId, isNews, make, nameSuits, number, setText, showFacts } from "./dom.js";
import { endReturn, goBack, showFirst, wantBack } from "./first.js";
import { connect, forgetToken, keepToken, send } from "./link.js";
import { showHand } from "./places.js";
import { rememberPlayer } from "./player.js";
import { showReview, showStatistics } from "./review.js";
import { play } from "./sound.js";
import { addChips, addLines, showAdvice, showChances, showLast } from "./side.js";

const root = document.documentElement;
/** The table before the first hand: the prompt says what the person waits for. */
const NO_HAND = { headline: "" };
let state = null;
let told = "";

function hear(message) {
  if (message.type === "trouble") showTrouble(message.text);
  else if (message.type === "first") first(message);
  else if (message.type === "state") show(message);
}

function showTrouble(text) {
  setText(byId("trouble"), text);
  byId("trouble").hidden = !text;
}

function first(offer) {
  state = null;
  bets.showQuestion(null, null, null);
  showTitle(false);
  forgetToken();
  const arrived = root.dataset.screen !== "first";
  root.dataset.screen = "first";
  showFacts(byId("facts"), []);
  showFirst(offer, arrived);
  showStatistics(offer.statistics);
  goBack(offer);
}

function show(next) {
  const before = state;
  state = next;
  keepToken(state.token);
  endReturn();
  if (state.elsewhere && state.taken) rememberPlayer(state.id, state.avatar);
  root.dataset.screen = state.ended ? "end" : "table";
  if (before?.token !== state.token || !state.asked) showTrouble("");
  setText(byId("title"), state.title);
  if (state.game) showGame(state.game);
  const { scene } = state;
  showFacts(byId("facts"), [
    ...(scene ? [["Hand", number(scene.hand)], ["Street", scene.streetName.replace("street ", "")]] : []),
    ...(state.stack === null ? [] : [["Your chips", number(state.stack)]]),
    ...(scene?.level ? [["Level", scene.level]] : []),
    ...(state.elsewhere ? [["You are", state.avatar]] : []),
  ]);
  showHand({ players: scene?.players, piece: state.game?.piece }, scene ?? NO_HAND);
  showHere(state.here);
  bets.showQuestion(state.asked, state.secondsLeft, state.seconds);
  byId("pause").hidden = state.waiting === null;
  if (!state.asked) setText(byId("prompt"), waitingFor());
  showChances(state);
  showCalls();
  showAdvice(state);
  showReview(state);
  addChips(state.chips, state.fresh);
  addLines(state.lines, state.fresh);
  showLast(state);
  if (state.ended) showEnd();
  say(before);
  callToTurn(before);
}

function waitingFor() {
  if (state.waiting !== null) return state.scene?.headline ?? "";
  if (!state.scene) return waitingForCards();
  return state.scene.headline || "Wait for the others …";
}

function waitingForCards() {
  if (!state.elsewhere) return "The cards are being dealt …";
  if (!state.taken) return "Sitting down …";
  return `You have a seat. ${state.here ? "Play begins when the host starts it." : "Your cards come with the next hand."}`;
}

/** The players who wait for the start. */
function showHere(here) {
  const list = byId("here");
  if (!isNews(list, here)) return;
  byId("lobby").hidden = !here;
  if (!here) return;
  const { names, place: mine, count, seats } = here;
  setText(byId("lobby-h"), seats === null ? `Here so far: ${number(count)}` : `Here: ${number(count)} of ${number(seats)}`);
  list.replaceChildren(...names.map((name, place) => make("li", { "data-mine": place === mine }, make("bdi", {}, name), place === mine ? " (you)" : "")));
}

function showGame(game) {
  if (byId("rules").dataset.game === game.name) return;
  byId("rules").dataset.game = game.name;
  setText(byId("rules"), game.rules.replaceAll("\n", " "));
  nameSuits(game.suits);
  Object.assign(root.dataset, { raises: game.raises, streets: !game.asksOnce, counts: game.counts, house: !state.elsewhere && game.coached });
}

function showCalls() {
  const { scene, game, waiting, calls } = state;
  const button = byId("calls");
  button.hidden = !scene || !game || game.asksOnce || waiting !== null || scene.over || !scene.seats[scene.me].live;
  button.setAttribute("aria-pressed", String(calls));
}

function showEnd() {
  const { ended } = state;
  if (byId("review-page").open) byId("review-page").close();
  showStatistics(state.statistics);
  byId("end-words").replaceChildren(...ended.words.map((line) => make("li", {}, line)));
  byId("again").hidden = !ended.again;
  setText(byId("another"), state.elsewhere ? "Sit down again" : "Another table");
  byId("end-curve").toggleAttribute("hidden", byId("curve").childElementCount === 0);
}

/** Tell a screen reader what is new: the lines of the history, and that it is the person's turn. */
function say(before) {
  const turn = state.asked && state.asked.number !== before?.asked?.number ? [mine(), byId("prompt").textContent] : [];
  const words = [...(before ? state.lines : []), ...turn, ...(state.ended && !before?.ended ? state.ended.words : [])].join(" ");
  if (words && words !== told) setText(byId("said"), (told = words));
}

/** Say in the title, which is seen from another tab, and by a sound that it is the person's turn. */
function callToTurn(before) {
  showTitle(state.asked);
  if (state.asked && state.asked.number !== before?.asked?.number) play("turn");
}

const showTitle = (asked) => (document.title = asked ? "\u25cf Your turn \u00b7 Casino Day" : "Play \u00b7 Casino Day");

function mine() {
  const view = state.scene?.seats[state.scene.me];
  const cards = byId("seats").firstElementChild?.querySelectorAll("[aria-label]") ?? [];
  return view ? `You have ${[...cards].map((card) => card.getAttribute("aria-label")).join(", ")}.` : "";
}

function tell(link) {
  root.dataset.link = link;
  const words = {
    up: "",
    lost: "The connection is lost; your seat is kept. Trying again …",
    closed: "The server has closed this page. Trying again …",
    taken: "Your seat is open in another tab. Reload this page to take it back.",
  };
  setText(byId("link"), words[link]);
  if (link !== "up") showTitle(false);
  if ((link === "lost" || link === "closed") && state?.elsewhere && !state.ended) wantBack();
}

function next() {
  if (state?.waiting != null) send({ type: "next", number: state.waiting });
  else send({ type: "hurry" });
}

const open = (id) => byId(id).open || byId(id).showModal();
const KEYS = {
  f: bets.fold, F2: bets.fold, c: bets.pay, F3: bets.pay, r: bets.raise, F4: bets.raise,
  "+": () => bets.step(1), "=": () => bets.step(1), ArrowUp: () => bets.step(1), ArrowRight: () => bets.step(1),
  "-": () => bets.step(-1), ArrowDown: () => bets.step(-1), ArrowLeft: () => bets.step(-1),
  Home: () => bets.toEnd(false), End: () => bets.toEnd(true),
  1: () => bets.preset(1), 2: () => bets.preset(2), 3: () => bets.preset(3),
  Enter: next, " ": next, o: count, F1: count, a: ask, F6: ask, e: toTheEnd, F7: toTheEnd, w: lookBack, F9: lookBack, h: () => open("help-page"), F8: () => open("help-page"),
};

function count() {
  send({ type: "odds" });
}

function ask() {
  send({ type: "coach" });
}

function toTheEnd() {
  if (!byId("calls").hidden) send({ type: "calls" });
}

function review() {
  send({ type: "review" });
}

function lookBack() {
  if (byId("look-back").hidden) return;
  review();
  open("review-page");
}

addEventListener("keydown", (event) => {
  if (root.dataset.screen !== "table" || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const focus = event.target instanceof Element ? event.target : document.body;
  const own = focus.closest("button, a") ? ["Enter", " "] : focus.id === "slider" || focus.id === "history" ? ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"] : [];
  if (own.includes(event.key) || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

byId("next").addEventListener("click", next);
byId("count").addEventListener("click", count);
byId("ask").addEventListener("click", ask);
byId("calls").addEventListener("click", toTheEnd);
byId("look-back").addEventListener("click", lookBack);
byId("end-review").addEventListener("click", review);
byId("help").addEventListener("click", () => open("help-page"));
byId("leave").addEventListener("click", () => open("leave-page"));
byId("leave-page").addEventListener("close", (event) => event.target.returnValue === "leave" && send({ type: "leave" }));
byId("again").addEventListener("click", () => send({ type: "again" }));
byId("another").addEventListener("click", () => send({ type: "lobby" }));

connect(hear, tell);
