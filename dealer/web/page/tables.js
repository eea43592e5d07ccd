// All tables: the list to choose from, and a small live picture of each with its leader and its pot.
import { coloured, mark } from "./colours.js";
import { brief, byId, draw, make, nameTag, number, setText } from "./dom.js";
import { onEllipse } from "./places.js";
import { leaveEmptyView, setView } from "./view.js";

const STAGES = { final: "Final table", "heads-up": "Heads-up" };
const pictures = new Map();
const select = byId("table");
let chosen = "";
let known = [];

/** What a table is called: by its number where there are several. There may be no board yet. */
export const tableTitle = (table, board) => STAGES[board?.stage] ?? (board?.tables.length > 1 ? `Table ${table}` : "The table");

const wanted = () => /^#table=(\d+)$/.exec(location.hash)?.[1] ?? "";

function choose(table) {
  history.replaceState(null, "", table ? `#table=${table}` : location.pathname);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

select.addEventListener("change", () => choose(select.value));

export function showTables(scene, board) {
  known = board.tables;
  document.documentElement.dataset.stage = board.stage ?? "";
  document.documentElement.classList.toggle("several", known.length > 1);
  leaveEmptyView();
  showChooser();
  showPictures(scene, board);
}

function showChooser() {
  const open = known.map(([table, , , seats]) => [String(table), `table ${table}, ${seats.length} players`]);
  const now = wanted();
  if (now && !open.some(([value]) => value === now)) open.push([now, `table ${now}, closed`]);
  const options = [["", "the leader’s table"], ...open];
  byId("chooser").hidden = options.length < 3;
  const facts = JSON.stringify([options, now]);
  if (facts === chosen) return;
  chosen = facts;
  options.forEach(([value, words], index) => {
    const option = select.options[index] ?? select.appendChild(make("option"));
    option.value = value;
    setText(option, words);
  });
  while (select.options.length > options.length) select.lastElementChild.remove();
  select.value = now;
}

function showPictures(scene, board) {
  const list = byId("pictures");
  const shown = known.length > 1 ? board.tables : [];
  const count = pictures.size;
  for (const [table, picture] of pictures)
    if (!shown.some(([open]) => open === table)) {
      picture.item.remove();
      pictures.delete(table);
    }
  shown.forEach((facts, index) => {
    const picture = pictures.get(facts[0]) ?? newPicture(facts[0]);
    if (list.children[index] !== picture.item) list.insertBefore(picture.item, list.children[index] ?? null);
    fill(picture, scene, facts);
  });
  if (pictures.size !== count) arrange();
}

function newPicture(table) {
  const made = {
    hand: make("span", { class: "soft" }),
    felt: draw("svg", { viewBox: "0 0 120 64", "aria-hidden": "true" }),
    discs: draw("g"),
    leader: null,
    name: make("span", { class: "leader" }),
    most: make("b"),
    pot: draw("text", { x: 60, y: 34, "text-anchor": "middle", "dominant-baseline": "middle" }),
    facts: "",
  };
  made.felt.append(draw("ellipse", { cx: 60, cy: 32, rx: 46, ry: 22 }), made.discs, made.pot);
  const button = make("button", { type: "button" }, make("span", { class: "top" }, make("b", {}, `Table ${table}`), made.hand), made.felt, made.name);
  button.addEventListener("click", () => {
    choose(String(table));
    if (document.documentElement.dataset.view === "tables") setView("table");
  });
  made.item = make("li", {}, button);
  made.button = button;
  pictures.set(table, made);
  return made;
}

function fill(picture, scene, [table, hand, pot, seats]) {
  const facts = JSON.stringify([scene.commitment, hand, pot, seats]);
  if (facts === picture.facts) return;
  picture.facts = facts;
  const [leader, most] = seats.reduce((best, seat) => (seat[1] > best[1] ? seat : best), [null, -Infinity]);
  setText(picture.hand, `hand ${brief(hand)}`);
  setText(picture.pot, brief(pot));
  showDiscs(picture.discs, seats, most);
  const name = scene.players[leader] ?? "";
  if (picture.leader !== leader) picture.name.replaceChildren(mark(leader), nameTag(name), picture.most);
  picture.leader = leader;
  setText(picture.most, brief(most));
  picture.button.setAttribute("aria-label", `Table ${table}, hand ${number(hand)}, pot ${number(pot)}, ${name} leads with ${number(most)}`);
}

/** A disc for each seat, as large as its chips. */
function showDiscs(group, seats, most) {
  while (group.children.length > seats.length) group.lastElementChild.remove();
  while (group.children.length < seats.length) group.append(draw("circle"));
  if (group.dataset.places !== String(seats.length)) {
    group.dataset.places = seats.length;
    onEllipse(seats.length).forEach(([x, y], seat) => {
      group.children[seat].setAttribute("cx", 60 + 46 * x);
      group.children[seat].setAttribute("cy", 32 + 22 * y);
    });
  }
  seats.forEach(([player, stack], seat) => {
    const disc = coloured(group.children[seat], player);
    const radius = (2.5 + 5 * Math.sqrt(Math.max(0, stack) / Math.max(1, most))).toFixed(1);
    if (disc.getAttribute("r") !== radius) disc.setAttribute("r", radius);
  });
}

/** As many columns as let the pictures be largest where they fill the screen. */
function arrange() {
  const list = byId("pictures");
  const { width, height } = list.getBoundingClientRect();
  if (!width || !pictures.size) return;
  let best = [0, 1];
  for (let columns = 1; columns <= pictures.size; columns++) {
    const size = Math.min(width / columns, (1.25 * height) / Math.ceil(pictures.size / columns));
    if (size > best[0]) best = [size, columns];
  }
  list.style.setProperty("--columns", best[1]);
  list.style.setProperty("--picture", `${Math.max(96, Math.floor(best[0]) - 10)}px`);
}

new ResizeObserver(arrange).observe(byId("tables"));
