// What went wrong: faults of players, and connections that got no seat, the newest first, with the bytes that came.
import { byId, make, nameTag, setText } from "/dom.js";

const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString();
const sent = (bytes) => (bytes ? [make("p", { class: "sent" }, "sent ", make("code", {}, bytes))] : []);
const times = (count) => (count > 1 ? `, ${count} times` : "");

let known = null;

export function showIncidents(incidents) {
  const items = incidents.map((one) =>
    make("li", { "data-kind": one.kind },
      make("p", { class: "what" }, make("time", {}, clock(one.time)), " ", nameTag(one.avatar), ` ${one.id}, hand ${one.hand}`),
      make("p", {}, make("b", {}, `${one.kind}${times(one.times)}: `), make("bdi", {}, one.reason)),
      ...sent(one.sent),
      make("p", { class: "effect" }, one.effect)),
  );
  fill("incidents", items, "No faults so far.");
  announce(incidents);
}

/** New faults are read aloud; those that were there before the page are not. */
function announce(incidents) {
  const latest = incidents[0]?.time ?? 0;
  if (known !== null && latest > known) setText(byId("said"), `${incidents[0].avatar}: ${incidents[0].reason}`);
  known = latest;
}

export function showLogins(logins) {
  const items = logins.map((one) =>
    make("li", {},
      make("p", { class: "what" }, make("time", {}, clock(one.time)), " ", make("strong", {}, one.id ?? one.address), one.id === null ? "" : ` ${one.address}`, ` at port ${one.port}`),
      make("p", {}, make("b", {}, `${one.kind}${times(one.times)}: `), make("bdi", {}, one.reason)),
      ...sent(one.sent)),
  );
  fill("logins", items, "No login was refused.");
}

function fill(id, items, none) {
  setText(byId(`${id}-count`), items.length || "");
  byId(`${id}-list`).replaceChildren(...(items.length ? items : [make("li", { class: "soft" }, none)]));
}
