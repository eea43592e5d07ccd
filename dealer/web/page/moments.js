// Moments as they happen, one at a time over the head of the page: who is out and why, a new leader, a huge pot.
import { coloured } from "./colours.js";
import { byId, make, mayMove, nameTag, number, setText } from "./dom.js";
import { play } from "./sound.js";

const SHOWN_MS = 3500;
const WAITING = 3; // of more, the oldest are dropped: nobody wants to hear of them when their turn has come

const WORDS = {
  out: ["Out", ({ words }) => words],
  leader: ["New leader", ({ amount }) => `leads with ${number(amount)}`],
  pot: ["Huge pot", ({ amount }) => `wins the largest so far: ${number(amount)}`],
  level: ["Level up", ({ amount }) => `level ${number(amount)}`],
  final: ["Final table", () => "all who are left sit at one table"],
  "heads-up": ["Heads-up", () => "two players are left"],
};

let heard = null;
let tournament = "";
let showing = null; // the moment that is shown
let waiting = [];
let leader = null;

/** Who leads the leader board that is shown. A lead that is lost again is not told any more. */
export function noteLeader(player) {
  leader = player;
  if (showing?.[1] === "leader" && showing[2] !== player) byId("moment").hidden = true;
}

export function showMoments(scene, { latest }) {
  if (scene.commitment !== tournament) [heard, tournament, waiting] = [null, scene.commitment, []];
  const fresh = heard === null ? [] : latest.filter(([index]) => index > heard);
  heard = latest.at(-1)?.[0] ?? 0;
  waiting = [...waiting, ...fresh.map((moment) => [scene, moment])].slice(-WAITING);
  if (!showing) showNext();
}

function showNext() {
  waiting = waiting.filter(([, [, kind, player]]) => kind !== "leader" || player === leader);
  const next = waiting.shift();
  showing = next?.[1] ?? null;
  const sign = byId("moment");
  if (!showing) {
    sign.hidden = true;
    return;
  }
  const [scene, [, kind, player, words, amount]] = next;
  const [title, tell] = WORDS[kind];
  const told = tell({ words, amount });
  const name = player === null ? "" : (scene.players[player] ?? "");
  sign.replaceChildren(make("b", {}, title), ...(player === null ? [] : [nameTag(name)]), make("bdi", { class: "told-why" }, told));
  if (player === null) delete sign.dataset.colour;
  else coloured(sign, player);
  sign.dataset.kind = kind;
  sign.hidden = false;
  if (kind !== "out") setText(byId("said"), [title, name, told].filter(Boolean).join(" ")); // the news tell who is out
  if (mayMove()) sign.animate({ transform: ["translate(-50%, -120%)", "translate(-50%, 0)"], opacity: [0, 1] }, { duration: 350, easing: "ease-out" });
  play(kind);
  setTimeout(showNext, SHOWN_MS);
}
