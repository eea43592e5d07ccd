// The connection to the server: it comes back by itself, and names the seat that this tab has.
const KEY = "seat";
const RETRY = [200, 500, 1000, 2000, 4000];
/** Milliseconds without a word from the server after which the connection counts as lost. */
const SILENCE = 25000;
/** Another tab has taken the seat. */
const TAKEN_OVER = 4000;

let socket = null;
let failures = 0;
let silence = 0;

/** The token of the seat that this tab has; empty without one. A seat belongs to a tab and outlives a reload. */
export const token = () => read(sessionStorage) ?? "";

/** The token of the seat that this browser had last, in any tab. */
export const lastToken = () => read(localStorage) ?? "";

function read(storage) {
  try {
    return storage.getItem(KEY);
  } catch {
    return null; // a browser that keeps nothing
  }
}

export function keepToken(value) {
  if (value === token()) return;
  try {
    sessionStorage.setItem(KEY, value);
    localStorage.setItem(KEY, value);
  } catch {
    // then the seat is lost with the connection
  }
}

export function forgetToken() {
  try {
    sessionStorage.removeItem(KEY);
    if (localStorage.getItem(KEY) === token()) localStorage.removeItem(KEY);
  } catch {
    // nothing was kept
  }
}

/** Connect, and pass each message on; `tell` hears whether the link is "up", "lost", "taken" or "closed". */
export function connect(hear, tell) {
  const address = new URL("socket", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(address);
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => socket.close(), SILENCE);
  };
  socket.onopen = () => {
    listen();
    send({ type: "hello", token: token() });
  };
  socket.onmessage = (event) => {
    listen();
    failures = 0;
    tell("up");
    hear(JSON.parse(event.data));
  };
  socket.onclose = (event) => {
    clearTimeout(silence);
    if (event.code === TAKEN_OVER) return tell("taken");
    tell(event.code === 1001 ? "closed" : "lost");
    setTimeout(() => connect(hear, tell), RETRY[Math.min(failures++, RETRY.length - 1)]);
  };
}

/** Send an order; false if there is no connection now. */
export function send(order) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(order));
  return true;
}
