// The hands of this file: what the table shows of each, frame by frame.
import { byId } from "./dom.js";

/** Read the data, which is compressed text. Each hand is a line, which is read when the hand is shown. */
export async function readTape() {
  const text = new Blob([bytesOf(byId("data").textContent)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const lines = (await new Response(text).text()).split("\n");
  const { index, ...facts } = JSON.parse(lines.pop());
  return { ...facts, lines, hands: index.map(([table, hand, ...players]) => ({ table, hand, players })) };
}

function bytesOf(base64) {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

let read = { tape: null, at: -1, hand: null };

/** All that the file tells of its hand number `at`. */
export function handAt(tape, at) {
  if (read.tape !== tape || read.at !== at) read = { tape, at, hand: JSON.parse(tape.lines[at]) };
  return read.hand;
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
