// Chips over hands: a line a player, named at its end.
import { coloured } from "./colours.js";
import { byId, draw, make, nameTag, number, setText } from "./dom.js";

// In letters of the page.
const MARGIN = { top: 0.75, bottom: 1.9 };
const GAP = 0.5;
const DIGIT = 0.6; // of the size of letters, about
const TITLES = { chips: "Chips", average: "Chips a game", won: "Chips won", points: "Chips" };

let last = null;

export function showCurves(scene, curves) {
  last = [scene, curves];
  setText(byId("curves-title"), TITLES[scene.measure]);
  drawCurves(scene, curves);
}

new ResizeObserver(() => last && drawCurves(...last)).observe(byId("plot"));

function drawCurves(scene, { hands, lines }) {
  const plot = byId("plot");
  const { width, height } = plot.getBoundingClientRect();
  if (!width || !hands.length) return;
  const letter = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const right = Math.min(width * 0.26, letter * 9);
  const [top, bottom, gap] = [MARGIN.top * letter, MARGIN.bottom * letter, GAP * letter];
  const values = lines.flatMap(([, chips]) => chips).filter((value) => value !== null);
  const [low, high, step] = scale(Math.min(0, ...values), Math.max(1, ...values));
  const left = letter * (0.9 + DIGIT * Math.max(number(low).length, number(high).length));
  const [first, end] = [hands[0], Math.max(hands.at(-1), hands[0] + 1)];
  const x = (hand) => left + ((hand - first) / (end - first)) * (width - left - right);
  const y = (chips) => height - bottom - ((chips - low) / (high - low)) * (height - bottom - top);
  plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
  plot.replaceChildren();
  for (let value = low; value <= high + step / 2; value += step) {
    plot.append(draw("line", { class: value === 0 ? "zero" : "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }));
    plot.append(label(left - gap, y(value), "end", number(value), "middle"));
  }
  plot.append(label(left, height - gap, "start", `hand ${number(first)}`));
  if (hands.at(-1) > first) plot.append(label(width - right, height - gap, "end", `hand ${number(hands.at(-1))}`));
  for (const [player, chips] of [...lines].reverse()) {
    const points = chips.flatMap((value, index) => (value === null ? [] : [`${x(hands[index]).toFixed(1)},${y(value).toFixed(1)}`]));
    if (points.length) plot.append(coloured(draw("polyline", { points: points.join(" ") }), player));
  }
  nameLines(scene, lines, y, height - bottom, right, letter);
}

function label(x, y, anchor, text, baseline = "auto") {
  const node = draw("text", { x, y, "text-anchor": anchor, "dominant-baseline": baseline });
  node.textContent = text;
  return node;
}

/** Names at the ends of lines, which end above ``floor``, pushed apart so that none covers another. */
function nameLines(scene, lines, y, floor, right, letter) {
  const list = byId("labels");
  list.style.setProperty("--width", `${right - MARGIN.top * letter}px`);
  const living = lines.filter(([, chips]) => chips.at(-1) !== null);
  const size = Math.min(letter * 1.25, floor / Math.max(1, living.length));
  const places = living.map(([player, chips]) => ({ player, y: y(chips.at(-1)) })).sort((a, b) => a.y - b.y);
  places.forEach((place, index) => {
    place.y = Math.max(place.y, index ? places[index - 1].y + size : size / 2);
  });
  for (let index = places.length - 1, lowest = floor + size / 2; index >= 0; index--) {
    places[index].y = Math.min(places[index].y, lowest);
    lowest = places[index].y - size;
  }
  list.replaceChildren(
    ...places.map(({ player, y: at }) => {
      const item = coloured(make("li", {}, nameTag(scene.players[player] ?? "")), player);
      item.style.setProperty("--at", `${at.toFixed(1)}px`);
      item.style.setProperty("--size", `${Math.min(letter, size * 0.9)}px`);
      return item;
    }),
  );
}

/** The lowest and highest line of a grid of four to eight, and the step between two. */
function scale(low, high) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10));
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step, step];
}
