// The replayer: which hand and which of its frames are shown, by buttons, keys, bars, lists and the address.
import { byId, make, nameSuits, number, setText } from "./dom.js";
import { name, wanted } from "./link.js";
import { drawMarks, setLength, showPlace } from "./scrub.js";
import { chosen, chosenPlayer, listMoments, markCurrent, momentsOf, offer } from "./story.js";
import { showTable } from "./table.js";
import { actionsOf, framesOf, handAt, readTape, tableFacts } from "./tape.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 16];

let tape = null;
let moments = [];
let places = []; // of the hands that are gone through, among all hands of the file
let many = false;
const now = { index: 0, frame: 0 };
let timer = null;

const hand = () => handAt(tape, places[now.index]);
const end = () => framesOf(hand()).length - 1;

function show(aloud = true) {
  const at = places[now.index];
  const [before, after] = [(at === 0 && tape.notes[-1]) || [], tape.notes[at] ?? []];
  const facts = tableFacts(hand(), now.frame, before, after, byId("cards").checked);
  const title = many ? `Table ${facts.table}` : "The table";
  const showActions = showTable(tape.scene, facts, title);
  showActions();
  showPlace(now.index, places.length, hand(), many);
  const bar = byId("actions");
  bar.max = end();
  bar.value = now.frame;
  setText(byId("where"), where());
  bar.setAttribute("aria-valuetext", where());
  markCurrent(chosen(moments), at);
  byId("number").value = hand().hand;
  byId("table-number").value = hand().table;
  if (timer === null) {
    name(hand(), now.frame, many);
    if (aloud) setText(byId("said"), spoken(facts));
  }
  byId("hand-back").disabled = byId("back").disabled = now.index === 0 && now.frame === 0;
  byId("forward").disabled = now.index === places.length - 1 && now.frame === end();
  byId("hand-forward").disabled = now.index === places.length - 1;
}

function where() {
  const actions = actionsOf(hand());
  if (now.frame === end()) return "the end";
  if (now.frame > actions) return "all in";
  return now.frame ? `action ${now.frame} of ${actions}` : "the deal";
}

/** The last line of the log, for those who hear the page. */
function spoken(facts) {
  const last = facts.log.at(-1);
  if (!last || now.frame === 0) return `Hand ${number(facts.hand)} is dealt.`;
  return `${last[0] === null ? "" : `${tape.scene.players[last[0]]} `}${last[1]}`;
}

function go(index, frame) {
  now.index = Math.min(Math.max(0, index), places.length - 1);
  now.frame = Math.min(Math.max(0, frame), end());
  show();
}

const step = (by) => {
  if (by > 0 && now.frame === end()) {
    if (now.index < places.length - 1) go(now.index + 1, 0);
  } else if (by < 0 && now.frame === 0) {
    if (now.index) go(now.index - 1, Infinity);
  } else go(now.index, now.frame + by);
};
const stepHand = (by) => go(by < 0 && now.frame ? now.index : now.index + by, 0);

/** Show a hand of the file, and all players' hands if the chosen one was not dealt in. */
function jump(at, frame) {
  stop();
  if (!places.includes(at)) {
    byId("whose").value = "";
    choose();
  }
  go(places.indexOf(at), frame);
}

function choose() {
  const [player, at] = [chosenPlayer(), places[now.index] ?? 0];
  const all = tape.hands.map((_, place) => place);
  const own = player === null ? all : all.filter((place) => tape.hands[place].players.includes(player));
  places = own.length ? own : all;
  const shown = chosen(moments);
  setLength(places.length);
  drawMarks(shown, places);
  listMoments(tape, shown, (moment) => jump(moment.at, moment.frame));
  const next = places.findIndex((place) => place >= at);
  const index = next < 0 ? places.length - 1 : next;
  go(index, places[index] === at ? now.frame : 0);
}

// Playing

function seconds() {
  const frame = framesOf(hand())[now.frame];
  const kind = frame.over ? "end" : frame.allIn ? "street" : now.frame ? "action" : "deal";
  return tape.seconds[kind] / Number(byId("speed").value);
}

function playOn() {
  timer = setTimeout(() => {
    if (now.index === places.length - 1 && now.frame === end()) {
      toggle();
      return;
    }
    step(1);
    playOn();
  }, 1000 * seconds());
}

function play() {
  if (now.index === places.length - 1 && now.frame === end()) go(0, 0);
  playOn();
  showPlaying();
}

function stop() {
  clearTimeout(timer);
  timer = null;
  showPlaying();
}

function toggle() {
  if (timer === null) play();
  else {
    stop();
    show(false);
  }
}

function showPlaying() {
  byId("play").setAttribute("aria-label", timer === null ? "Play" : "Pause");
  document.documentElement.dataset.playing = String(timer !== null);
}

function faster(by) {
  const select = byId("speed");
  select.selectedIndex = Math.min(Math.max(0, select.selectedIndex + by), SPEEDS.length - 1);
}

// What people do

const KEYS = {
  " ": toggle,
  ArrowLeft: (shift) => (shift ? stepHand(-1) : step(-1)),
  ArrowRight: (shift) => (shift ? stepHand(1) : step(1)),
  Home: () => go(0, 0),
  End: () => go(places.length - 1, 0),
  "+": () => faster(1),
  "-": () => faster(-1),
  c: () => byId("cards").click(),
};

/** Do something that ends the playing. */
const calmly = (act) => () => {
  stop();
  act();
};

function heed() {
  const buttons = { "hand-back": () => stepHand(-1), back: () => step(-1), forward: () => step(1), "hand-forward": () => stepHand(1) };
  for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener("click", calmly(act));
  byId("play").addEventListener("click", toggle);
  byId("hands").addEventListener("input", calmly(() => go(Number(byId("hands").value), 0)));
  byId("actions").addEventListener("input", calmly(() => go(now.index, Number(byId("actions").value))));
  byId("cards").addEventListener("change", () => show(false));
  byId("go").addEventListener("submit", (event) => {
    event.preventDefault();
    find({ hand: Number(byId("number").value), table: many ? Number(byId("table-number").value) : null, action: 0 });
  });
  addEventListener("hashchange", () => find(wanted()));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input:not([type=checkbox]), select")) return;
    if (event.key === " " && event.target.closest?.("button, summary, a, input")) return; // which it presses
    const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") stop();
    act(event.shiftKey);
  });
}

/** Show the hand that was asked for, or say that it is not here. */
function find({ hand: wantedHand, table, action }) {
  if (wantedHand === null) return;
  const at = tape.hands.findIndex((one) => one.hand === wantedHand && (table === null || one.table === table));
  setText(byId("found"), at < 0 ? "This file has no such hand." : "");
  if (at >= 0) jump(at, action ?? 0);
}

function begin() {
  const { scene } = tape;
  const asked = wanted(); // before the first hand is shown and named
  nameSuits(scene.suits);
  setText(byId("title"), `${scene.title}: replay of ${scene.source}`);
  setText(byId("seen-by"), scene.seenBy === null ? "" : `as ${scene.seenBy} saw it`);
  many = tape.hands.some((one) => one.table !== tape.hands[0].table);
  byId("at-table").hidden = !many;
  moments = momentsOf(tape);
  byId("speed").append(...SPEEDS.map((speed) => make("option", { value: speed, ...(speed === 1 ? { selected: "" } : {}) }, `${speed}×`)));
  byId("main").hidden = false;
  byId("loading").hidden = true;
  offer(tape, moments, choose);
  heed();
  choose();
  find(asked);
  if (tape.leftOut) setText(byId("found"), `The last ${number(tape.leftOut)} hands are not in this file.`);
}

async function load() {
  if (!("DecompressionStream" in globalThis)) {
    setText(byId("loading"), "This browser is too old to read this file: it needs one of 2023 or later.");
    return;
  }
  tape = await readTape();
  if (tape.hands.length) begin();
  else setText(byId("loading"), "There are no hands in this file.");
}

load().catch((error) => {
  setText(byId("loading"), "This file is damaged: its hands cannot be read.");
  throw error;
});
