// The first screen: a table of house bots to choose, or a name for a dealer's table.
import { byId, make, setText } from "./dom.js";
import { lastToken, send } from "./link.js";

let filled = "";

export function showFirst(offer) {
  const facts = JSON.stringify(offer);
  if (facts === filled) return;
  filled = facts;
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
    const order = { type: "sit", avatar: form.avatar.value };
    send(offer.secrets ? { ...order, secret: form.secret.value } : order);
  };
  const back = byId("return");
  back.hidden = !lastToken();
  setText(back, "Back to the seat that this browser had");
  back.onclick = () => send({ type: "hello", token: lastToken() });
}
