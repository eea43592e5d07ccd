// A few notes for each moment, made in the browser. The page says whether they are on at first, and whether a browser
// remembers that they were turned off: under which name, in data-kept.
import { byId, onKey } from "./dom.js";

/** Notes in half tones from A4, one after the other. */
const TUNES = {
  out: [3, -2, -9],
  leader: [3, 7, 10, 15],
  pot: [3, 3, 10],
  level: [3, 8],
  final: [-2, 3, 7, 10, 15],
  "heads-up": [-2, 3, 7, 10, 15],
  turn: [7, 12],
};
const NOTE_SECONDS = 0.16;
const LOUDNESS = 0.12;

const button = byId("sound");
const { kept } = button.dataset;
let context = null;

const isOn = () => button.getAttribute("aria-pressed") === "true";

function toggle() {
  button.setAttribute("aria-pressed", String(!isOn()));
  try {
    if (kept) localStorage.setItem(kept, isOn() ? "on" : "off");
  } catch {
    // a browser that keeps nothing
  }
  if (isOn()) play("level");
  else context?.suspend();
}

/** Play the notes of a kind of moment, if the sound is on. */
export function play(kind) {
  // A browser plays nothing before a page was clicked or typed at, and then all that was asked of it at once.
  if (!isOn() || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  context.resume();
  TUNES[kind].forEach((tone, index) => {
    const at = context.currentTime + index * NOTE_SECONDS;
    const [note, gain] = [context.createOscillator(), context.createGain()];
    note.type = "triangle";
    note.frequency.value = 440 * 2 ** (tone / 12);
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(LOUDNESS, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 2 * NOTE_SECONDS);
    note.connect(gain).connect(context.destination);
    note.start(at);
    note.stop(at + 2 * NOTE_SECONDS);
  });
}

try {
  if (kept && localStorage.getItem(kept) === "off") button.setAttribute("aria-pressed", "false");
} catch {
  // a browser that keeps nothing
}
button.addEventListener("click", toggle);
onKey("s", toggle);
