// Beside the table: chances, the chips hand by hand, the last hand, and what happened in words.
import { byId, draw, isNews, make, nameTag, number, setText } from "./dom.js";
import { cardsOf } from "./places.js";

/** Chances and coach stand beside the table; on a phone they stand with the bets, which stay on the screen. */
const phone = matchMedia("(max-width: 700px)");
function placeAids() {
  if (phone.matches) byId("controls").before(byId("aids"));
  else byId("side").prepend(byId("aids"));
}
phone.addEventListener("change", placeAids);
placeAids();

const percent = (value) => `${(100 * value).toFixed(1)} %`;
let chips = [];

export function showChances({ chances, counting, canCount }) {
  byId("count").hidden = !canCount || Boolean(chances);
  byId("count").disabled = counting;
  const box = byId("odds");
  if (!isNews(box, [chances, counting, canCount])) return;
  if (!chances) return box.replaceChildren(make("p", { class: counting ? "" : "idle" }, counting ? "Counting …" : canCount ? "What happens if nobody folds any more." : "—"));
  const exact = chances.error ? `counted to ±${percent(Math.max(chances.error, 0.001))}` : "counted exactly";
  const rows = [[`best ${chances.pieces}`, chances.best], ...(chances.tied >= 0.0005 ? [["shared", chances.tied]] : [])];
  if (chances.side !== null) rows.push([chances.side_name, chances.side]);
  rows.push(["of the pot", chances.share]);
  if (chances.price) rows.push(["a call needs", chances.price]);
  const list = make("dl", {}, ...rows.map(([name, value]) => {
    const bar = make("i", { "aria-hidden": "true" });
    bar.style.setProperty("--part", value.toFixed(3));
    return make("div", {}, make("dt", {}, name), make("dd", {}, bar, percent(value)));
  }));
  box.replaceChildren(make("p", {}, `You have ${chances.name}; ${exact}.`), list);
}

/** The coach, at tables that have one: what the house's best bot would do, and what each choice is worth. */
export function showAdvice({ elsewhere, canAsk, canReview, advising, advice }) {
  byId("coach").hidden = elsewhere || !(canAsk || advice || canReview);
  byId("ask").hidden = Boolean(advice) || !canAsk;
  byId("ask").disabled = advising;
  const box = byId("advice");
  if (!isNews(box, [advice, advising])) return;
  if (!advice) return box.replaceChildren(...(advising ? [make("p", {}, "Thinking …")] : []));
  const chips = (value, error) => `${value.toFixed(1).replace("-", "\u2212")}${error ? ` ± ${error.toFixed(1)}` : ""}`;
  const best = advice.options.filter((option) => option.cost === null).length > 1 ? "equally good" : "the best";
  const rows = advice.options.map((option) => {
    const cost = option.cost === null ? best : `costs ${chips(option.cost, option.costError)}`;
    return make("tr", {}, make("th", { scope: "row" }, option.words), make("td", {}, chips(option.worth, 0)), make("td", {}, cost));
  });
  const head = make("tr", {}, make("th", { scope: "col" }, "answer"), make("th", { scope: "col" }, "chips"), make("th", { scope: "col" }, "against the best"));
  box.replaceChildren(
    make("p", {}, make("b", {}, advice.verdict)),
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)),
    make("p", {}, make("small", {}, advice.method)),
  );
}

export function addChips(added, fresh) {
  chips = fresh ? added : [...chips, ...added];
  for (const id of ["curve", "end-curve"]) drawCurve(byId(id));
  const words = chips.length > 1 ? `${number(chips.at(-1))} now, ${number(Math.max(...chips))} at the most, ${number(Math.min(...chips))} at the least` : "";
  setText(byId("curve-words"), words);
}

function drawCurve(plot) {
  const [width, height] = [300, 90];
  plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
  plot.setAttribute("aria-label", `Chips over ${Math.max(chips.length - 1, 0)} hands`);
  plot.replaceChildren();
  if (chips.length < 2) return;
  const [low, high] = [Math.min(...chips), Math.max(...chips)];
  const x = (index) => 4 + (index * (width - 8)) / (chips.length - 1);
  const y = (value) => height - 6 - ((value - low) / (high - low || 1)) * (height - 12);
  plot.append(draw("line", { x1: 4, x2: width - 4, y1: y(chips[0]), y2: y(chips[0]) }));
  plot.append(draw("polyline", { points: chips.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }));
}

/** The result of the last hand, where the next one begins at once. */
export function showLast(state) {
  const last = state.elsewhere && state.last?.hand !== state.scene?.hand ? state.last : null;
  byId("last").hidden = !last;
  if (!last || !isNews(byId("last"), last)) return;
  setText(byId("last-words"), `Hand ${last.hand}: ${last.headline}`);
  const shown = last.seats.filter((seat) => seat.hole);
  byId("last-cards").replaceChildren(
    ...shown.map((seat) => make("li", {}, nameTag(last.players[seat.player]), make("span", { class: "cards" }, ...cardsOf(seat)))),
  );
}

const happened = byId("history");
// The newest line is kept in sight until the person scrolls up, and again once the person is back at the end.
let following = true;
let reached = 0;

function follow() {
  if (!following) return;
  happened.scrollTop = happened.scrollHeight;
  reached = happened.scrollTop;
}

happened.addEventListener("scroll", () => {
  const atEnd = happened.scrollHeight - happened.scrollTop - happened.clientHeight < 8;
  // A list that became smaller is not at its end either, but only a person moves it up.
  if (atEnd) following = true;
  else if (happened.scrollTop < reached) following = false;
  reached = happened.scrollTop;
});
new ResizeObserver(follow).observe(happened);

export function addLines(lines, fresh) {
  if (fresh) {
    happened.replaceChildren();
    following = true;
  }
  if (!lines.length) return;
  happened.append(...lines.map((line) => make("li", { class: / chips? in the pot\.$/.test(line) ? "street" : "" }, line)));
  while (happened.children.length > 500) happened.firstElementChild.remove();
  follow();
}
