// Single keys, the same as at the dealer's terminal. They are for the page alone, never for a field or a dialog.
import { byId, make } from "/dom.js";
import { command, paused } from "/host/controls.js";

const KEYS = [
  ["space", "pause after the hand under way, or go on"],
  ["+  −", "faster, slower"],
  ["n", "in a pause: one more hand at every table, slowly"],
  ["/", "search for a player"],
  ["?", "this list"],
];

export function bindKeys() {
  byId("keys").addEventListener("click", showKeys);
  addEventListener("keydown", (event) => {
    const { target, key } = event;
    const typing = target.closest("input, select, textarea, dialog, button, summary");
    if (byId("cockpit").hidden || event.ctrlKey || event.altKey || event.metaKey || (typing && (key === " " || !target.closest("button")))) return;
    const ways = {
      " ": () => command(paused() ? "resume" : "pause"),
      "+": () => command("faster"),
      "-": () => command("slower"),
      n: () => command("step"),
      "/": () => byId("search").focus(),
      "?": showKeys,
    };
    if (!ways[key]) return;
    event.preventDefault();
    if (!event.repeat) ways[key]();
  });
}

function showKeys() {
  const close = make("button", {}, "Close");
  const rows = KEYS.map(([key, what]) => make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)));
  const dialog = make("dialog", { "aria-labelledby": "keys-h" }, make("form", { method: "dialog" },
    make("h2", { id: "keys-h" }, "Keys"), make("dl", { class: "keys" }, ...rows), close));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
