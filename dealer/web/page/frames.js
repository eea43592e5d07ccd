// The large parts of the page are drawn one a frame, so that the browser keeps up with its screen.

const waiting = new Map(); // what draws each part that has something new

/**
 * Draw a part in a frame of its own, soon; only the newest of what it is to show.
 * What `show` returns, if anything, draws the rest of it in a later frame.
 */
export function inAFrame(part, show) {
  if (!waiting.size) requestAnimationFrame(drawNext);
  waiting.set(part, show);
}

/** Draw nothing of what waits: it belongs to a tournament that is over. */
export const forgetFrames = () => waiting.clear();

function drawNext() {
  const [[part, show] = []] = waiting;
  waiting.delete(part);
  if (waiting.size) requestAnimationFrame(drawNext);
  const rest = show?.();
  if (rest) inAFrame(part, rest);
}
