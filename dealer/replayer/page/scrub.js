// The bar over all hands, with a mark for each moment.
import { byId, draw, number } from "./dom.js";

/** Draw the marks of moments. @param places the numbers of the hands that the bar goes over */
export function drawMarks(moments, places) {
  const at = new Map(places.map((place, index) => [place, index]));
  const width = Math.max(1, places.length - 1);
  const marks = byId("marks");
  marks.setAttribute("viewBox", `0 0 1000 10`);
  marks.replaceChildren(
    ...moments
      .filter((moment) => at.has(moment.at))
      .map((moment) => {
        const x = (1000 * at.get(moment.at)) / width;
        return draw("line", { x1: x, x2: x, y1: 0, y2: 10, "data-kind": moment.kind });
      }),
  );
}

/** Let the bar go over so many hands. */
export function setLength(count) {
  byId("hands").max = Math.max(0, count - 1);
}

/** Show where the replay is. */
export function showPlace(index, count, hand, many) {
  const bar = byId("hands");
  bar.value = index;
  bar.setAttribute("aria-valuetext", `hand ${number(hand.hand)}${many ? ` at table ${hand.table}` : ""}, ${number(index + 1)} of ${number(count)}`);
}
