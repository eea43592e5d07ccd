// The host's page: what the dealer tells goes to the part that shows it, and every order to the dealer.
import { byId, setText } from "/dom.js";
import { bindControls, showState } from "/host/controls.js";
import { bindFiles } from "/host/files.js";
import { bindKeys } from "/host/keys.js";
import { follow, post } from "/host/link.js";
import { bindPlayers, showPlayers } from "/host/players.js";
import { showIncidents, showLogins } from "/host/troubles.js";

const SHOWS = { state: showState, players: showPlayers, incidents: showIncidents, failed_logins: showLogins, logins: showLogins };
const LINKS = { live: "", lost: "The dealer does not answer. Trying again …", bye: "The dealer has closed its page." };

let following = null;

/** Show the parts of what the dealer tells; `facts` may be one of them or a whole state. */
function show(facts) {
  for (const [name, part] of Object.entries(facts)) SHOWS[name]?.(part);
}

/** Give an order and tell how it went; the answer holds how things stand then. */
async function order(facts) {
  const { status, answer } = await post("/host/orders", facts);
  if (status === 401) return lock(answer.error);
  if (answer.state) {
    const { players, incidents, failed_logins, ...state } = answer.state;
    show({ state, players });
  }
  say(status === 200 ? answer.said : `Not done: ${answer.error}`, status !== 200);
}

function say(words, bad = false) {
  const answer = byId("answer");
  answer.classList.toggle("bad", bad);
  setText(answer, words);
}

function lock(why) {
  following?.abort();
  following = null;
  for (const id of ["cockpit", "lock", "keys", "phase"]) byId(id).hidden = true;
  for (const id of ["players", "incidents-list", "logins-list", "facts"]) byId(id).replaceChildren();
  byId("login").hidden = false;
  document.documentElement.dataset.phase = "none";
  setText(byId("login-answer"), why);
  setText(byId("link"), "");
  say("");
  byId("token").focus();
}

function open() {
  byId("login").hidden = true;
  for (const id of ["cockpit", "lock", "keys", "phase"]) byId(id).hidden = false;
}

async function enter() {
  following?.abort();
  const mine = (following = new AbortController());
  const why = await follow(mine.signal, {
    hear: (facts) => {
      if (byId("cockpit").hidden) open();
      show(facts);
    },
    link: (link) => setText(byId("link"), LINKS[link]),
  });
  if (why && following === mine) lock(why);
}

byId("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byId("token");
  const token = field.value.trim();
  field.value = "";
  const { status, answer } = await post("/host/login", { token });
  setText(byId("login-answer"), status === 200 ? "" : answer.error);
  if (status === 200) await enter();
  else field.focus();
});
byId("lock").addEventListener("click", async () => {
  await post("/host/logout", {});
  lock("Locked.");
});
addEventListener("pagehide", () => following?.abort());
addEventListener("pageshow", (event) => event.persisted && enter());

bindControls(order);
bindFiles({ say, lock });
bindPlayers(order);
bindKeys();
enter();
