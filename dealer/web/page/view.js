// What fills the screen during play: everything, only one table, or all tables. By keys and by buttons.
import { byId, onKey } from "./dom.js";

const root = document.documentElement;
const BUTTONS = { table: byId("only-table"), tables: byId("all-tables") };
const KEYS = { t: "table", a: "tables" };

/** Show "all" parts, only the "table", or all "tables". */
export function setView(view) {
  root.dataset.view = view;
  for (const [name, button] of Object.entries(BUTTONS)) button.setAttribute("aria-pressed", String(name === view));
  dispatchEvent(new Event("viewchange"));
}

/** Whether a view shows anything now: there is no view of all tables where there is one. */
const offered = (view) => root.dataset.phase === "play" && (view !== "tables" || root.classList.contains("several"));

function toggle(view) {
  if (offered(view)) setView(root.dataset.view === view ? "all" : view);
}

/** Leave the view of all tables when the last two have become one. */
export function leaveEmptyView() {
  if (root.dataset.view === "tables" && !offered("tables")) setView("all");
}

for (const [name, button] of Object.entries(BUTTONS)) button.addEventListener("click", () => toggle(name));
for (const [key, name] of Object.entries(KEYS)) onKey(key, () => toggle(name));
onKey("escape", () => setView("all"));
