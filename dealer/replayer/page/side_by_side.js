// Two replayers in frames, which show the same hand and go through it together.
import { byId, make, setText } from "./dom.js";

const { title, pairs } = JSON.parse(byId("data").textContent);
const frames = [byId("left"), byId("right")];
const now = { pair: 0, frame: 0 };
const end = () => Math.max(...pairs[now.pair].frames) - 1;

/** Tell both tables what to show; a hand that is over in one way waits at its end. */
function tell() {
  const theme = document.documentElement.dataset.theme ?? null;
  for (const frame of frames) frame.contentWindow.postMessage({ ...now, cards: byId("cards").checked, theme }, "*");
}

function show() {
  tell();
  const { first } = pairs[now.pair];
  const text = now.frame === 0 ? "the deal" : now.frame === end() ? "the end" : `step ${now.frame} of ${end()}`;
  const where = now.frame === first ? `${text}, the first difference` : text;
  setText(byId("where"), where);
  const bar = byId("actions");
  bar.max = end();
  bar.value = now.frame;
  bar.setAttribute("aria-valuetext", where);
  [...byId("moments").querySelectorAll("button")].forEach((button, index) => {
    if (index === now.pair) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
  byId("hand-back").disabled = now.pair === 0;
  byId("hand-forward").disabled = now.pair === pairs.length - 1;
  byId("back").disabled = now.frame === 0;
  byId("forward").disabled = now.frame === end();
}

const step = (by) => {
  now.frame = Math.min(Math.max(0, now.frame + by), end());
  show();
};

/** Show a hand where its two ways part. */
function open(pair) {
  now.pair = Math.min(Math.max(0, pair), pairs.length - 1);
  now.frame = pairs[now.pair].first;
  show();
}

const KEYS = {
  ArrowLeft: (shift) => (shift ? open(now.pair - 1) : step(-1)),
  ArrowRight: (shift) => (shift ? open(now.pair + 1) : step(1)),
  Home: () => step(-Infinity),
  End: () => step(Infinity),
  c: () => byId("cards").click(),
};

function press(key, shift) {
  KEYS[key]?.(shift);
  return key in KEYS;
}

function list() {
  const items = pairs.map((pair, index) => {
    const button = make("button", { type: "button" }, make("span", { class: "words" }, pair.label));
    button.addEventListener("click", () => open(index));
    return make("li", {}, button);
  });
  byId("moments").replaceChildren(...items);
}

setText(byId("title"), title);
list();
const buttons = { "hand-back": () => open(now.pair - 1), back: () => step(-1), forward: () => step(1), "hand-forward": () => open(now.pair + 1) };
for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener("click", act);
byId("actions").addEventListener("input", () => step(Number(byId("actions").value) - now.frame));
byId("cards").addEventListener("change", tell);
document.addEventListener("DOMContentLoaded", () => byId("theme").addEventListener("click", tell)); // after it has changed
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input:not([type=checkbox])")) return;
  if (press(event.key.length === 1 ? event.key.toLowerCase() : event.key, event.shiftKey)) event.preventDefault();
});
addEventListener("message", ({ source, data }) => {
  if (!frames.some((frame) => frame.contentWindow === source)) return;
  if (data.ready) tell();
  else press(data.key, data.shift);
});
open(0);
