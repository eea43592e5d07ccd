// What a person may look back on: the dearest decisions of a session, and what was won on this machine.
import { byId, isNews, make, setText } from "./dom.js";

/** Show the review in its dialog and at the end of the game. */
export function showReview({ review, canReview, elsewhere }) {
  byId("look-back").hidden = elsewhere || !canReview;
  byId("end-review").hidden = elsewhere || !canReview || Boolean(review);
  for (const id of ["dearest", "end-dearest"]) {
    const box = byId(id);
    if (!isNews(box, review)) continue;
    const heading = id === "end-dearest" ? [make("h3", {}, "Your dearest decisions")] : []; // the dialog has one
    box.replaceChildren(...(review ? [...heading, ...told(review)] : []));
  }
}

function told({ done, looks, lines, method }) {
  if (!lines.length) return progress(done, looks);
  const items = lines.map((line) => make("li", {}, line.replace(/^\d\. /, "")));
  const list = /^1\. /.test(lines[0]) ? make("ol", {}, ...items) : make("ul", {}, ...items);
  return method ? [list, make("p", {}, make("small", {}, method))] : [list];
}

function progress(done, looks) {
  const bar = make("progress", { "aria-label": "Decisions looked at", ...(looks ? { value: done, max: looks } : {}) });
  return [make("p", {}, "Your decisions are dealt again …"), bar];
}

/** Show headings and rows of the person's statistics on both screens that have room for them; null shows none. */
export function showStatistics(statistics) {
  for (const box of document.querySelectorAll(".statistics")) {
    box.hidden = !statistics?.[1].length;
    if (box.hidden || !isNews(box, statistics)) continue;
    const [headings, rows] = statistics;
    const head = make("tr", {}, ...headings.map((heading) => make("th", { scope: "col" }, heading)));
    const body = rows.map((row) => make("tr", {}, ...row.map((cell, column) => make("td", { "data-heading": headings[column] }, cell))));
    const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
    const title = make("h3", {});
    setText(title, "What you have won on this machine");
    box.replaceChildren(title, make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Your statistics" }, table));
  }
}
