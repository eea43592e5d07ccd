// The bet bar: the legal answers and no others, and the clock.
import { byId, make, number, setText } from "./dom.js";
import { send } from "./link.js";

let asked = null;
let folding = null; // the number of the question for which the person is asked whether to fold
let ends = null; // when the answer is late, by this browser's clock, in milliseconds
let seconds = null;

const slider = byId("slider");
const capital = (text) => text[0].toUpperCase() + text.slice(1);

export function showQuestion(question, left, of) {
  ends = question && left !== null ? performance.now() + 1000 * left : null;
  seconds = of;
  showClock();
  byId("controls").hidden = !question;
  byId("bets").dataset.question = question?.number ?? "";
  if (question?.number === asked?.number) return;
  asked = question;
  byId("fold-page").close();
  if (!question) return;
  const owed = question.owed ? `you owe ${number(question.owed)}${question.owed === question.stack ? ", which is all you have" : ""}` : "nothing to pay";
  setText(byId("prompt"), `Your turn: ${owed}, the pot is ${number(question.pot)}.`);
  byId("fold").disabled = !question.fold;
  byId("pay").disabled = !question.call;
  setText(byId("pay"), question.owed ? `${capital(question.pay)} ${number(question.owed)}` : "Check");
  offerSizes(question);
}

function offerSizes({ raises, presets, stack }) {
  byId("raise").hidden = byId("sizes").hidden = !raises;
  if (!raises) return;
  const [first, last, step] = raises;
  Object.assign(slider, { max: (last - first) / step, value: 0 });
  byId("sizes").dataset.one = first === last;
  const allIn = last === stack ? "all in" : "largest";
  byId("presets").replaceChildren(
    ...[["smallest", first], ...presets, [allIn, last]].map(([name, amount], index) => {
      const key = { 1: "1", 2: "2", 3: "3" }[index];
      const button = make("button", { type: "button", "aria-label": `${name}: ${amount}`, ...(key ? { "aria-keyshortcuts": key } : {}) }, capital(name));
      button.onclick = () => moveTo((amount - first) / step);
      return button;
    }),
  );
  showAmount();
}

const amount = () => asked.raises[0] + Number(slider.value) * asked.raises[2];

function moveTo(place) {
  if (!asked?.raises) return;
  slider.value = place;
  showAmount();
}

function showAmount() {
  const chips = amount();
  const { owed, put, stack } = asked;
  const bet = owed ? `Raise by ${number(chips - owed)}` : `Bet ${number(chips)}`;
  setText(byId("raise"), chips === stack ? `All in ${number(chips)}` : put === null ? bet : `Raise to ${number(put + chips)}`);
  slider.setAttribute("aria-valuetext", `put in ${chips} of ${asked.raises[0]} to ${asked.raises[1]}`);
  byId("raise").title = `puts in ${chips} of ${asked.raises[0]} to ${asked.raises[1]}`;
}

function answer(facts) {
  if (!asked) return;
  if (send({ type: "act", number: asked.number, ...facts })) byId("controls").hidden = true;
}

/** Fold; where a check costs nothing, ask first. */
export function fold() {
  if (!asked?.fold) return;
  if (asked.owed || !asked.call) answer({});
  else if (!byId("fold-page").open) {
    folding = asked.number;
    byId("fold-page").showModal();
  }
}
export const pay = () => asked?.call && answer({ amount: asked.owed });
export const raise = () => asked?.raises && answer({ amount: amount() });
export const step = (by) => moveTo(Math.max(0, Number(slider.value) + by));
export const toEnd = (last) => moveTo(last ? Number(slider.max) : 0);
export const preset = (index) => byId("presets").children[index]?.click();

slider.addEventListener("input", showAmount);
byId("fold").addEventListener("click", fold);
byId("fold-page").addEventListener("close", ({ target }) => {
  if (folding === asked?.number && target.returnValue === "fold") answer({});
  if (folding === asked?.number && target.returnValue === "check") pay();
  target.returnValue = "";
});
byId("pay").addEventListener("click", pay);
byId("raise").addEventListener("click", raise);
byId("less").addEventListener("click", () => step(-1));
byId("more").addEventListener("click", () => step(1));

function showClock() {
  const clock = byId("clock");
  clock.hidden = ends === null;
  if (ends === null) return;
  const left = Math.max(0, (ends - performance.now()) / 1000);
  const whole = Math.ceil(left);
  setText(byId("seconds"), `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`);
  byId("left").value = left / seconds;
  clock.dataset.short = left < Math.min(15, seconds / 3);
}
setInterval(showClock, 250);
