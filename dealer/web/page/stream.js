// The dealer's events. The browser connects again by itself after most failures; where it gives up, we do it.

const RETRY_MS = 2000;
const PATIENCE_MS = 1500;

/** Which table the address asks for; null is the leader's. */
export function chosenTable() {
  const found = /^#table=(\d{1,6})$/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

/** Listen until the dealer says goodbye; `hear` is given each event by name, `link` is told "live", "lost" or "bye". */
export function listen(hear, link) {
  let source = null;
  let retry = 0;
  let doubt = 0;

  const doubted = () => {
    if (!doubt) doubt = setTimeout(() => link("lost"), PATIENCE_MS);
  };
  const trusted = () => {
    clearTimeout(doubt);
    doubt = 0;
    link("live");
  };

  const connect = () => {
    clearTimeout(retry);
    source?.close();
    const table = chosenTable();
    source = new EventSource(table === null ? "events" : `events?table=${table}`);
    source.addEventListener("open", trusted);
    source.addEventListener("error", () => {
      doubted();
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY_MS);
    });
    source.addEventListener("bye", () => {
      source.close();
      clearTimeout(doubt);
      removeEventListener("hashchange", connect);
      link("bye");
    });
    for (const name of ["scene", "lobby", "board", "news", "moments", "curves", "table"])
      source.addEventListener(name, (event) => hear(name, JSON.parse(event.data)));
  };

  addEventListener("hashchange", connect);
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && connect());
  connect();
}
