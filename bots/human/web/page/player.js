// The player that a person was at a dealer. A dealer that was started again knows no token of before, but expects the id.
const KEY = "player";

/** The player of this tab; null if it has sat down nowhere. */
export const tabPlayer = () => read(sessionStorage);

/** The player that this browser was last, in any tab; null if it has sat down nowhere. */
export const lastPlayer = () => read(localStorage);

function read(storage) {
  try {
    return JSON.parse(storage.getItem(KEY));
  } catch {
    return null; // a browser that keeps nothing
  }
}

/** Keep who plays in this tab. A dealer uses the id in place of a name that was left out. */
export function rememberPlayer(id, avatar) {
  const known = tabPlayer();
  const typed = avatar === id ? "" : avatar;
  if (known?.id === id && known.avatar === typed) return;
  const player = JSON.stringify({ id, avatar: typed });
  try {
    sessionStorage.setItem(KEY, player);
    localStorage.setItem(KEY, player);
  } catch {
    // then the person sits down as another player next time
  }
}
