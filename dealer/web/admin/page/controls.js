// What the host can do to the whole tournament, and how it stands.
import { byId, make, number, setText } from "/dom.js";
import { ask } from "/host/ask.js";
import { showFiles } from "/host/files.js";

/** Names, keys and questions of the orders; what can be undone is done without a question. */
const ORDERS = {
  start: ["Start", "Start the tournament with everybody who is here?"],
  pause: ["Pause", null],
  resume: ["Go on", null],
  step: ["Next hand", null],
  level: ["Next level", "Move to the next level now?"],
  suspend: ["Suspend", "Stop after the hand under way? The tournament can be resumed another day, with the same chips."],
  journal: ["New journal", "Write a new journal with all so far? It is needed only if the journal was lost."],
  next: ["Next tournament", "Open the lobby for another tournament with the same players, as soon as this one is over? Their programs must be started again."],
  end: ["End", "End the tournament? Every table finishes its hand, then the standings follow. This cannot be undone."],
};

const PHASES = { lobby: "Lobby", playing: "Playing", ending: "Ending after this hand", over: "Over" };

const buttons = {};
let give = () => {};
let state = null;
let shownMessage = null;

/** Give an order, after a question if it cannot be undone. */
export async function command(name) {
  if (buttons[name].hidden || buttons[name].disabled) return;
  const [title, question] = ORDERS[name];
  if (!question || (await ask(question, title))) give({ command: name });
}

/** Whether the tournament is paused; null before anything is known. */
export const paused = () => state && state.paused;

export function bindControls(order) {
  give = order;
  for (const [name, [title]] of Object.entries(ORDERS)) {
    const button = make("button", { type: "button", class: name === "end" ? "danger" : name === "start" ? "main" : "" }, title);
    button.addEventListener("click", () => command(name));
    buttons[name] = button;
    byId("orders").append(button);
  }
  for (const name of ["slower", "faster"]) {
    buttons[name] = byId(name);
    ORDERS[name] = [name, null];
    byId(name).addEventListener("click", () => command(name));
  }
  byId("pace").addEventListener("submit", (event) => {
    event.preventDefault();
    order({ command: "length", minutes: byId("minutes").valueAsNumber });
  });
  byId("notice").addEventListener("submit", (event) => {
    event.preventDefault();
    order({ command: "message", text: byId("message").value });
  });
  byId("unsaid").addEventListener("click", () => order({ command: "message", text: "" }));
  byId("unpaced").addEventListener("click", () => order({ command: "pace", seconds: 0 }));
}

export function showState(facts) {
  state = facts;
  const lobby = facts.phase === "lobby";
  const playing = facts.phase === "playing";
  document.documentElement.dataset.phase = facts.phase;
  const told = PHASES[facts.phase] + (facts.next ? ", then the next" : "");
  const held = facts.paused && (lobby || playing);
  setText(byId("phase"), held ? (lobby ? "Lobby, will begin paused" : "Paused") : told);
  byId("phase").classList.toggle("held", held);
  setText(byId("game"), facts.tournament > 1 ? `${facts.game}, tournament ${facts.tournament}` : facts.game);
  const shown = {
    start: lobby, pause: (lobby || playing) && !facts.paused, resume: (lobby || playing) && facts.paused, step: playing,
    level: playing && facts.level !== null, suspend: playing, end: playing, next: !lobby && !facts.next, journal: facts.trouble !== null,
  };
  for (const [name, may] of Object.entries(shown)) buttons[name].hidden = !may;
  buttons.step.disabled = !facts.paused;
  for (const control of byId("pace").elements) control.disabled = !(lobby || playing);
  setText(byId("tempo"), tempo(facts));
  showMessage(facts.message);
  byId("trouble").hidden = facts.trouble === null;
  setText(byId("trouble"), facts.trouble ?? "");
  showFacts(facts);
  showAwaited(facts.awaited ?? []);
  showFiles(facts.tournaments);
}

function showAwaited(names) {
  byId("awaited").hidden = names.length === 0;
  setText(byId("awaited"), names.length ? `Expected, and not here yet: ${names.join(", ")}.` : "");
}

/** The field holds what the page shows, unless the host is writing something else. */
function showMessage(message) {
  if (shownMessage !== message) byId("message").value = message ?? "";
  shownMessage = message;
  byId("unsaid").hidden = message === null;
}

function tempo(facts) {
  if (facts.phase === "over") return "";
  if (facts.show_left !== null) return `A show, ${(Math.max(0, facts.show_left) / 60).toFixed(1)} min left`;
  return facts.pace ? `At least ${number(facts.pace)} s a hand` : "As fast as it goes";
}

function showFacts(facts) {
  const told = [];
  if (facts.hand !== undefined) told.push(["hand", facts.hands ? `${number(facts.hand)} / ${number(facts.hands)}` : number(facts.hand)]);
  if (facts.playing !== undefined) told.push(["still in", number(facts.playing)]);
  if (facts.level) told.push(["level", number(facts.level)]);
  for (const [name, chips] of Object.entries(facts.stakes ?? {})) told.push([name.replaceAll("_", " "), number(chips)]);
  const list = byId("facts");
  if (list.children.length !== told.length) list.replaceChildren(...told.map(() => make("div", {}, make("dt"), make("dd"))));
  told.forEach(([name, value], index) => {
    const [term, detail] = list.children[index].children;
    setText(term, name);
    setText(detail, value);
  });
}
