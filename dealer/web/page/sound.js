// A few notes for each moment, made in the browser. Off until it is turned on, at every visit.
import { byId } from "./dom.js";
import { onKey } from "./view.js";

/** Notes in half tones from A4, one after the other. */
const TUNES = {
  out: [3, -2, -9],
  leader: [3, 7, 10, 15],
  pot: [3, 3, 10],
  level: [3, 8],
  final: [-2, 3, 7, 10, 15],
  "heads-up": [-2, 3, 7, 10, 15],
};
const NOTE_SECONDS = 0.16;
const LOUDNESS = 0.12;

const button = byId("sound");
let context = null;

function toggle() {
  const isOn = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isOn));
  if (isOn) {
    context ??= new AudioContext();
    context.resume();
    play("level");
  } else context?.suspend();
}

/** Play the notes of a kind of moment, if the sound is on. */
export function play(kind) {
  if (button.getAttribute("aria-pressed") !== "true") return;
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

button.addEventListener("click", toggle);
onKey("s", toggle);
