// The first screen: a table of house bots to choose, or a name for a dealer's table.
import { byId, isNews, make, setText } from "./dom.js";
import { lastToken, send } from "./link.js";
import { lastPlayer, tabPlayer } from "./player.js";

/** The player for whom the server was asked about an old seat. */
let returning = null;

/** Show what the server offers; `arrived`: another screen was there before. */
export function showFirst(offer, arrived) {
  if (arrived && offer.kind === "dealer") offerOldSeat(offer);
  if (!isNews(byId("first"), offer)) return;
  setText(byId("title"), offer.title);
  byId("house").hidden = offer.kind !== "house";
  byId("dealer").hidden = offer.kind !== "dealer";
  if (offer.kind === "house") offerBots(offer);
  else offerSeat(offer);
}

function offerBots(offer) {
  const form = byId("house");
  choices(form.level, offer.levels, offer.level);
  choices(form.speed, offer.speeds, offer.speed);
  choices(form.opponents, Array.from({ length: offer.mostOpponents }, (_, index) => index + 1), offer.opponents);
  const [usual, least, most] = offer.chips;
  Object.assign(form.chips, { value: usual, min: least, max: most });
  byId("bots").replaceChildren(
    ...offer.bots.map((bot) => {
      const box = make("input", { type: "checkbox", name: "against", value: bot.name });
      box.checked = offer.chosen.includes(bot.name);
      const about = [bot.level, bot.source].filter(Boolean).join(" · ");
      return make("li", {}, make("label", {}, box, make("b", {}, bot.name), make("small", {}, about)));
    }),
  );
  form.level.onchange = () => {
    for (const box of form.querySelectorAll("[name=against]")) {
      const bot = offer.bots.find((one) => one.name === box.value);
      box.checked = ["mixed", bot.level].includes(form.level.value);
    }
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    send({
      type: "sit",
      level: form.level.value,
      speed: form.speed.value,
      opponents: Number(form.opponents.value),
      chips: Number(form.chips.value),
      against: [...form.querySelectorAll("[name=against]:checked")].map((box) => box.value),
    });
  };
}

function choices(select, values, chosen) {
  select.replaceChildren(...values.map((value) => make("option", { value }, String(value))));
  select.value = chosen;
}

function offerSeat(offer) {
  const form = byId("dealer");
  const minutes = offer.seconds / 60;
  const time = minutes < 1 ? `${offer.seconds} seconds` : `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  setText(byId("what"), `You have ${time} for each answer. Nobody but you sees your hidden cards.`);
  byId("secret-label").hidden = !offer.secrets;
  form.secret.required = offer.secrets;
  form.onsubmit = (event) => {
    event.preventDefault();
    // Under the same name a person is the same player as before; under another, somebody else at this machine.
    const mine = tabPlayer();
    const known = mine?.avatar === form.avatar.value.trim() ? { id: mine.id } : {};
    sit(offer, { ...known, avatar: form.avatar.value });
  };
}

/** Offer the seat that this browser had, to a tab that had none: there the name is filled in. */
function offerOldSeat(offer) {
  const form = byId("dealer");
  const mine = tabPlayer();
  const last = mine ? null : lastPlayer();
  form.avatar.value = mine?.avatar ?? "";
  const back = byId("return");
  back.hidden = !last;
  setText(back, last ? `Back to the seat of ${last.avatar || last.id}` : "");
  back.onclick = () => {
    if (offer.secrets && !form.reportValidity()) return;
    returning = last;
    send({ type: "hello", token: lastToken() });
  };
}

function sit(offer, player) {
  const order = { type: "sit", ...player };
  send(offer.secrets ? { ...order, secret: byId("dealer").secret.value } : order);
}

/** The connection is lost: should a server that was started anew not know the seat, this tab's player sits down again. */
export function wantBack() {
  returning = tabPlayer();
}

/** The old seat was found. */
export function endReturn() {
  returning = null;
}

/** Log in as the player of an old seat, which the server has just said that it does not know. */
export function goBack(offer) {
  const player = returning;
  endReturn();
  if (player && offer.kind === "dealer") sit(offer, player);
}
