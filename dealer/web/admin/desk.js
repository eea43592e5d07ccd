"use strict";
// The host's panel. It is no part of the page until the host presses "Host" and gives the token that the dealer's
// terminal shows; the token stays in this tab alone (sessionStorage), and travels in a header of each order.

const KEY = "casino-token";

const ORDERS = {
  start: ["Start", "Start the tournament with everybody who is here?"],
  pause: ["Pause", "Pause? Every table finishes its hand, and then waits."],
  resume: ["Resume", "Let the tables deal again?"],
  step: ["Next hand", "Let every table deal one hand, slowly, and then wait?"],
  slower: ["Slower", null],
  faster: ["Faster", null],
  level: ["Next level", "Move to the next level?"],
  suspend: ["Suspend", "Stop after the hand under way? The tournament can be resumed another day."],
  journal: ["New journal", "Write a new journal with all so far? It is only needed when the journal was lost."],
  end: ["End", "End the tournament? Every table finishes its hand, then the standings follow. This cannot be undone."],
};

function element(tag, facts = {}, ...children) {
  const made = Object.assign(document.createElement(tag), facts);
  made.append(...children);
  return made;
}

// What can be said before the start, too.
const EARLY = ["pause", "resume", "slower", "faster"];

class Desk {
  constructor(place) {
    this.place = place;
    this.answer = element("p", { id: "desk-answer" });
    this.answer.setAttribute("role", "status");
    this.button = element("button", { id: "desk-open", type: "button", textContent: "Host" });
    this.button.setAttribute("aria-controls", place.id);
    this.button.setAttribute("aria-expanded", "false");
    this.button.addEventListener("click", () => this.toggle());
    place.before(this.button);
    place.setAttribute("aria-label", "Host's desk");
    this.buildToken();
    this.buildPanel();
    place.append(this.tokenForm, this.panel, this.answer);
  }

  buildToken() {
    const field = element("input", { type: "password", name: "token", required: true, autocomplete: "off" });
    this.tokenForm = element("form", { id: "desk-token" },
      element("label", {}, "Token from the dealer's terminal ", field),
      element("button", { textContent: "Unlock" }));
    this.tokenForm.addEventListener("submit", (event) => {
      event.preventDefault();
      sessionStorage.setItem(KEY, field.value.replace(/[^!-~]/g, "")); // a header takes nothing else
      field.value = "";
      this.send({ command: "show" });
    });
  }

  buildPanel() {
    this.buttons = {};
    const row = element("div", { className: "desk-row" });
    for (const [command, [name, question]] of Object.entries(ORDERS)) {
      const button = element("button", { type: "button", textContent: name });
      button.addEventListener("click", () => question ? this.confirm(question, name, { command }) : this.send({ command }));
      this.buttons[command] = button;
      row.append(button);
    }
    this.shown = element("output");
    this.slider = element("input", { type: "range", min: 0, max: 5, step: 0.25, value: 0, id: "desk-pace" });
    this.slider.addEventListener("input", () => { this.shown.textContent = this.pace(); });
    this.slider.addEventListener("change", () => {
      const seconds = this.slider.valueAsNumber;
      this.confirm(`Change the pace to ${this.pace()}?`, "Change", { command: "pace", seconds });
    });
    this.minutes = element("input", { type: "number", min: 0.5, max: 600, step: 0.5, value: 10, id: "desk-minutes" });
    this.showFor = element("button", { type: "button", textContent: "Set" });
    this.showFor.addEventListener("click", () => {
      const minutes = this.minutes.valueAsNumber;
      if (minutes) this.confirm(`Let the rest of the tournament take about ${minutes} min?`, "Change", { command: "length", minutes });
    });
    this.players = element("ul", { id: "desk-players" });
    // The class may see this screen, and ids are often names or numbers of students.
    this.ids = element("input", { type: "checkbox", id: "desk-ids" });
    this.ids.addEventListener("change", () => this.state && this.show(this.state));
    this.failed = element("details", { id: "desk-failed", hidden: true });
    const refresh = element("button", { type: "button", textContent: "Refresh" });
    refresh.addEventListener("click", () => this.send({ command: "show" }));
    const lock = element("button", { type: "button", textContent: "Lock" });
    lock.addEventListener("click", () => this.lock("Locked."));
    this.panel = element("div", { id: "desk-panel", hidden: true }, row,
      element("p", {}, element("label", { htmlFor: "desk-pace" }, "Pace "), this.slider, " ", this.shown),
      element("p", {}, element("label", { htmlFor: "desk-minutes" }, "A show of so many minutes "), this.minutes, " ", this.showFor),
      element("p", {}, element("label", {}, this.ids, " Show ids; everybody who sees this screen reads them")),
      this.players, this.failed, element("div", { className: "desk-row" }, refresh, lock));
  }

  toggle() {
    this.place.hidden = !this.place.hidden;
    this.button.setAttribute("aria-expanded", String(!this.place.hidden));
    if (this.place.hidden) return;
    if (sessionStorage.getItem(KEY)) this.send({ command: "show" });
    else this.tokenForm.elements.token.focus();
  }

  pace() {
    const seconds = this.slider.valueAsNumber;
    return seconds ? `at least ${seconds} s a hand` : "as fast as it goes";
  }

  showPace() {
    const left = this.state?.show_left;
    this.shown.textContent = left === null || left === undefined ? this.pace() : `a show, ${(Math.max(0, left) / 60).toFixed(1)} min left`;
  }

  lock(why) {
    sessionStorage.removeItem(KEY);
    this.panel.hidden = true;
    this.tokenForm.hidden = false;
    this.players.replaceChildren();
    this.failed.replaceChildren();
    this.ids.checked = false;
    this.answer.textContent = why;
    this.tokenForm.elements.token.focus();
  }

  // A dialog of its own for each question, so that Escape, Tab and screen readers work as everywhere.
  confirm(question, yes, order, reason = null) {
    const form = element("form", { method: "dialog" }, element("p", { textContent: question, id: "desk-question" }));
    if (reason) form.append(element("label", {}, "Reason, which the player hears and all may read ", reason));
    const cancel = element("button", { type: "button", textContent: "Cancel" });
    form.append(element("div", { className: "desk-row" },
      element("button", { value: "yes", textContent: yes }), cancel));
    const dialog = element("dialog", { className: "desk-dialog" }, form);
    dialog.setAttribute("aria-labelledby", "desk-question");
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (dialog.returnValue === "yes") this.send(reason ? { ...order, reason: reason.value } : order);
      else if (this.state) this.show(this.state);
    });
    this.place.append(dialog);
    dialog.showModal();
  }

  async send(order) {
    let answer, facts;
    try {
      answer = await fetch("/desk", {
        method: "POST",
        headers: { authorization: `Bearer ${sessionStorage.getItem(KEY)}`, "content-type": "application/json" },
        body: JSON.stringify(order),
      });
      facts = await answer.json();
    } catch {
      this.answer.textContent = "The dealer does not answer.";
      return;
    }
    if (answer.status === 401 || answer.status === 429) {
      this.lock(facts.error);
      return;
    }
    if (facts.state) this.show(facts.state);
    const quiet = order.command === "show" && answer.ok;
    this.answer.textContent = quiet ? "" : facts.error ? `Not done: ${facts.error}` : facts.said;
  }

  show(state) {
    this.state = state;
    this.tokenForm.hidden = true;
    this.buttons.journal.hidden = !state.trouble;
    this.panel.hidden = false;
    const playing = state.phase === "playing";
    const lobby = state.phase === "lobby";
    for (const [command, button] of Object.entries(this.buttons))
      button.disabled = command === "start" ? state.phase !== "lobby"
        : !(playing || (lobby && EARLY.includes(command))) || (command === "pause" && state.paused)
          || (["resume", "step"].includes(command) && !state.paused);
    this.slider.disabled = this.minutes.disabled = this.showFor.disabled = !(playing || lobby);
    this.slider.value = state.pace;
    this.showPace();
    this.players.replaceChildren(...state.players.map((player) => this.player(player, playing || state.phase === "lobby")));
    this.showFailed(state.failed_logins, state.more_failed_logins);
  }

  // Why a program of a student who stands here with a question got no seat.
  showFailed(failed, more) {
    const lines = failed.map((login) => {
      const when = new Date(login.time * 1000).toLocaleTimeString();
      const who = login.id === null || !this.ids.checked ? login.address : `${login.id} (${login.address})`;
      const times = login.times > 1 ? `, ${login.times} times` : "";
      return element("li", {}, `${when} `, element("strong", { textContent: who }), `${times}: ${login.kind}: ${login.reason}`,
        ...(login.sent && this.ids.checked ? [" ", element("code", { textContent: login.sent })] : []));
    });
    this.failed.hidden = lines.length === 0;
    this.failed.replaceChildren(element("summary", { textContent: `Failed logins (${lines.length}${more ? ` of ${lines.length + more}` : ""})` }), element("ul", {}, ...lines));
  }

  player(player, removable) {
    const facts = this.ids.checked ? [player.id] : [];
    if (player.chips !== undefined) facts.push(`${player.chips} chips`);
    if (player.out !== null) facts.push("out");
    else if (!player.here) facts.push("away");
    const line = element("li", {}, element("strong", { textContent: player.avatar }), facts.length ? ` (${facts.join(", ")}) ` : " ");
    if (player.out === null && removable) {
      const remove = element("button", { type: "button", textContent: "Remove" });
      remove.setAttribute("aria-label", `Remove ${player.avatar}`);
      remove.addEventListener("click", () => {
        const reason = element("input", { name: "reason", required: true, maxLength: 200, autocomplete: "off" });
        this.confirm(`Remove ${player.avatar}?`, "Remove", { command: "remove", player: `id=${player.id}` }, reason);
      });
      line.append(remove);
    }
    return line;
  }
}

const place = document.getElementById("desk");
if (place) {
  document.head.append(element("link", { rel: "stylesheet", href: "/desk.css" }));
  new Desk(place);
}
