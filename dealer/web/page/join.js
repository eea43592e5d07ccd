// A line for each language that connects a starter program to this dealer, to be copied.
import { byId, isNews, make } from "./dom.js";

const COPIED_MS = 1500;

export function showLines(scene) {
  const lines = scene.ports.flatMap((port) => port.starts);
  if (!isNews(byId("lines"), lines)) return;
  byId("join").hidden = !lines.length;
  byId("lines").replaceChildren(
    ...lines.map(([who, line]) => {
      const text = make("code", {}, line);
      const button = make("button", { type: "button", "aria-label": `Copy the line for ${who}` }, "Copy");
      button.addEventListener("click", () => copy(text, button));
      return make("div", {}, make("dt", {}, who), make("dd", {}, text, button));
    }),
  );
}

/** Copy a text. Browsers give pages without TLS no clipboard, so there it is selected and copied as by hand. */
async function copy(text, button) {
  const range = document.createRange();
  range.selectNodeContents(text);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  if (navigator.clipboard) await navigator.clipboard.writeText(text.textContent);
  else document.execCommand("copy");
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), COPIED_MS);
}
