// The hands of this file: what the table shows of each, frame by frame.
import { byId } from "./dom.js";

/** Read the data; it is compressed text. */
export async function readTape() {
  const packed = Uint8Array.from(atob(byId("data").textContent), (letter) => letter.charCodeAt(0));
  const text = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(text).json();
}

let unpacked = { hand: null, frames: [] };

/** All frames of a hand, the last of which is its end. */
export function framesOf(hand) {
  if (unpacked.hand === hand) return unpacked.frames;
  const [first, ...rest] = hand.frames;
  const frames = [first];
  for (const changes of [...rest, hand.end]) frames.push(changed(frames.at(-1), changes));
  unpacked = { hand, frames };
  return frames;
}

/** Facts with changes: null takes one away, and seats change by their number. */
function changed(facts, changes) {
  const after = { ...facts };
  for (const [name, fact] of Object.entries(changes)) {
    if (name === "seats") after.seats = facts.seats.map((seat, number) => (number in fact ? changed(seat, fact[number]) : seat));
    else if (fact === null) delete after[name];
    else after[name] = fact;
  }
  return after;
}

/** How many actions a hand has. The frames after that show streets that are run out, and the end. */
export function actionsOf(hand) {
  const frames = framesOf(hand);
  const first = frames.findIndex((frame) => frame.allIn || frame.over);
  return frames[first].allIn ? first : first - 1;
}

/**
 * What the page's table shows of a frame.
 * @param before sentences about what happened before the hand
 * @param after sentences about what happened before the next one
 * @param open whether hole cards are shown before the end
 */
export function tableFacts(hand, number, before, after, open) {
  const frames = framesOf(hand);
  const frame = frames[number];
  const over = frame.over || frame.allIn;
  const seats = frame.seats.map((seat, at) => {
    const hole = (over ? hand.shown?.[at] : null) ?? (over || open ? hand.holes[at] : null);
    return hole ? { ...seat, hole: seat.hidden && !over ? hole.slice(0, seat.hidden) : hole } : seat;
  });
  const lines = [...hand.lines, ...hand.endLines].slice(0, frame.told).map(([player, words, micros], line) => {
    const reason = hand.reasons?.[line];
    return [player, reason ? `${words}: ${reason}` : words, micros];
  });
  const told = (sentences) => sentences.map((words) => [null, words, null]);
  return { ...frame, table: hand.table, seats, log: [...told(before), ...lines, ...(frame.over ? told(after) : [])] };
}
