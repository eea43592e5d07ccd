// The moments to jump to, and whose hands are shown.
import { mark } from "./colours.js";
import { byId, make, nameTag, number } from "./dom.js";

const KINDS = {
  pot: "Largest pots",
  out: "Knock-outs",
  leader: "New leaders",
  fault: "Faults",
  rare: "Rare hands",
  corrected: "Corrections",
  void: "Hands that were void",
};
const WORDS = {
  pot: ({ amount, who }) => [`pot of ${number(amount)}, won by `, who],
  out: ({ words, who }) => [who, ` is out: ${words}`],
  leader: ({ amount, who }) => [who, ` takes the lead with ${number(amount)}`],
  fault: ({ words, who }) => [who, `: ${words}`],
  rare: ({ words, who }) => [who, ` wins with ${words}`],
  corrected: ({ words, who }) => [who, ` ${words}`],
  void: () => ["void when the dealer was stopped, and dealt again"],
};

/** The moments of a file, as objects. */
export const momentsOf = (tape) => tape.moments.map(([kind, at, frame, player, amount, words]) => ({ kind, at, frame, player, amount, words }));

/** Fill the two choices: whose hands, and which moments. */
export function offer(tape, moments, onChange) {
  const players = tape.scene.players.map((name, player) => [String(player), name]);
  options(byId("whose"), [["", "all players"], ...players]);
  const counted = Object.entries(KINDS).map(([kind, words]) => [kind, words, moments.filter((moment) => moment.kind === kind).length]);
  options(byId("what"), [["", `all (${moments.length})`], ...counted.filter(([, , count]) => count).map(([kind, words, count]) => [kind, `${words} (${count})`])]);
  for (const id of ["whose", "what"]) byId(id).addEventListener("change", onChange);
}

function options(select, choices) {
  select.replaceChildren(
    ...choices.map(([value, words]) => {
      const option = make("option", { value });
      option.textContent = words;
      return option;
    }),
  );
}

/** The player whose hands are chosen; null for all. */
export const chosenPlayer = () => (byId("whose").value === "" ? null : Number(byId("whose").value));

/** The moments that were chosen. */
export function chosen(moments) {
  const [player, kind] = [chosenPlayer(), byId("what").value];
  return moments.filter((moment) => (player === null || moment.player === player) && (!kind || moment.kind === kind));
}

/** List moments as buttons. */
export function listMoments(tape, moments, jump) {
  const many = tape.hands.some((hand) => hand.table !== tape.hands[0].table);
  const items = moments.map((moment) => {
    const hand = tape.hands[moment.at];
    const who = moment.player === null ? "" : make("span", { class: "known" }, mark(moment.player), nameTag(tape.scene.players[moment.player]));
    const place = make("span", { class: "place" }, `hand ${number(hand.hand)}${many ? `, table ${hand.table}` : ""}`);
    const button = make("button", { type: "button", "data-kind": moment.kind }, make("span", { class: "words" }, ...WORDS[moment.kind]({ ...moment, who })), place);
    button.addEventListener("click", () => jump(moment));
    return make("li", {}, button);
  });
  if (!items.length) items.push(make("li", { class: "none" }, "Nothing of this kind."));
  byId("moments").replaceChildren(...items);
}

/** Let the list show which of its moments are in the hand that is shown. */
export function markCurrent(moments, at) {
  [...byId("moments").querySelectorAll("button")].forEach((button, index) => {
    if (moments[index].at === at) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
}
