// Small helpers. A stranger's text only ever goes through textContent, in an element that isolates its direction.

export const byId = (id) => document.getElementById(id);

/** An element with attributes and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Change a text only if it is another, so that nothing is laid out or read aloud anew without need. */
export function setText(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

/** Whether an element does not show these facts yet; it will from now on. */
export function isNews(element, facts) {
  const text = JSON.stringify(facts ?? null);
  const news = element.dataset.facts !== text;
  if (news) element.dataset.facts = text;
  return news;
}

/** Fill a list with facts, each under its name. A fact may be a stranger's text. */
export function showFacts(list, facts) {
  if (list.children.length !== facts.length)
    list.replaceChildren(...facts.map(() => make("div", {}, make("dt"), make("dd", { dir: "auto" }))));
  facts.forEach(([name, fact], index) => {
    const [term, detail] = list.children[index].children;
    setText(term, name);
    setText(detail, fact);
  });
}

/** An avatar; the tooltip has all of it. */
export function nameTag(avatar) {
  const tag = make("bdi", { class: "name", title: avatar });
  tag.textContent = avatar;
  return tag;
}

/** Give names that do not fit into their line the class "long", for which there are two lines of smaller letters. */
export function markLong(names) {
  for (const name of names) name.classList.remove("long");
  const long = [...names].filter((name) => name.scrollWidth > name.clientWidth);
  for (const name of long) name.classList.add("long");
}

const USUAL_SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
let suits = USUAL_SUITS;
const RANKS = { J: "jack", Q: "queen", K: "king", A: "ace" };
const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes. */
export function draw(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Call the suits by the names that a game has for them, by their letters, and list those; the others keep their usual names. */
export function nameSuits(names) {
  suits = { ...USUAL_SUITS, ...names };
  const list = byId("suits");
  list.hidden = !Object.keys(names).length;
  list.replaceChildren(...Object.entries(names).map(([suit, name]) => make("li", { "data-suit": suit }, suitSymbol(suit), ` ${name}`)));
}

/** The symbol of a suit; a card or a name beside it says in words what it stands for. */
function suitSymbol(letter) {
  const symbol = draw("svg", { "aria-hidden": "true" });
  symbol.append(draw("use", { href: `#suit-${letter}` }));
  return symbol;
}

/** Where the pips of a die are, as columns and rows of a square of three. */
const PIPS = ["", "11", "00 22", "00 11 22", "00 20 02 22", "00 20 11 02 22", "00 20 01 21 02 22"];

/** A die with its number as pips. */
function die(text, hole) {
  const face = make("span", { class: hole ? "card die hole" : "card die", role: "img", "aria-label": `a die that shows ${text}` });
  const pips = draw("svg", { viewBox: "0 0 30 30", "aria-hidden": "true" });
  for (const [column, row] of PIPS[Number(text)].split(" ")) pips.append(draw("circle", { cx: 6 + 9 * column, cy: 6 + 9 * row, r: 3 }));
  face.append(pips);
  return face;
}

/** A card or a die with its face up, or its back where there is none to be seen; a number as it is, such as B=12. */
export function card(text, hole = false, piece = "card") {
  if (text === null) return make("span", { class: "card back", role: "img", "aria-label": `a hidden ${piece}` });
  if (text === "??") return make("span", { class: "card back", role: "img", "aria-label": "a card that nobody knows" });
  if (/^[1-6]$/.test(text)) return die(text, hole);
  if (text.includes("=")) return make("b", { class: "number" }, text);
  const rank = text.slice(0, -1);
  const suit = text.slice(-1);
  const label = `${RANKS[rank] ?? rank} of ${suits[suit]}${hole ? ", from the hole" : ""}`;
  const face = make("span", { class: hole ? "card hole" : "card", "data-suit": suit, role: "img", "aria-label": label });
  face.append(make("b", { "aria-hidden": "true" }, rank), suitSymbol(suit));
  return face;
}

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const BRIEF = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const TENTHS = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** A number as people read it, with a minus sign instead of a hyphen. */
export const number = (value) => (Math.abs(value) < 10 ? TENTHS : WHOLE).format(value).replace("-", "\u2212");

/** The same in at most seven letters, for narrow columns: where more are needed, three digits and a unit, as in 12.3M. */
export const brief = (value) => {
  const exact = number(value);
  return exact.length <= 7 ? exact : BRIEF.format(value).replace("-", "\u2212");
};

/** A gain or a loss, with its sign and as short. A plus sign takes as much room as a minus sign. */
export const signed = (value) => (value > 0 ? brief(-value).replace("\u2212", "+") : value < 0 ? brief(value) : "");

/** Milliseconds as people read them: a person at the table may take a minute. */
export const milliseconds = (value) =>
  value < 1000 ? `${value.toFixed(value < 1 ? 2 : value < 100 ? 1 : 0)} ms` : `${(value / 1000).toFixed(value < 10000 ? 1 : 0)} s`;

/** Whether things may move. */
export const mayMove = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A single key that is pressed for the page itself, and not to write or to choose. */
export function onKey(key, act) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest?.("input, select, textarea") || event.key.toLowerCase() !== key) return;
    act();
  });
}
