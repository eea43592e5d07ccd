// Which hand the address names: #hand=31, #hand=31&action=4, and with several tables #hand=31&table=2.

/** What the address asks for; null for what it does not name. */
export function wanted() {
  const facts = new URLSearchParams(location.hash.slice(1));
  const whole = (name) => (/^\d+$/.test(facts.get(name) ?? "") ? Number(facts.get(name)) : null);
  return { hand: whole("hand"), table: whole("table"), action: whole("action") };
}

/** Let the address name what is shown, so that it can be copied. */
export function name(hand, action, manyTables) {
  const facts = [`hand=${hand.hand}`, ...(manyTables ? [`table=${hand.table}`] : []), ...(action ? [`action=${action}`] : [])];
  if (location.hash === `#${facts.join("&")}`) return;
  try {
    history.replaceState(null, "", `#${facts.join("&")}`);
  } catch {
    // a browser that allows few changes of an address; the next one will do
  }
}
