// Draws every chart of a page from the data in it, again whenever its width changes, and tells its numbers: where the
// pointer is, by keys, and in a table. All lengths are in pixels; a letter is the size of the letters around.

const { abs, ceil, floor, hypot, log10, max, min } = Math;
const KEYS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
const WIDTH = 720; // where none is known, in what is folded away
const canvas = document.createElement("canvas").getContext("2d");

const filled = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
};
const make = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
const draw = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const number = (value, digits, notation = "standard") =>
  value.toLocaleString("en", { maximumFractionDigits: digits, notation }).replace("-", "\u2212");
const tick = (value, digits) => (abs(value) < 1e4 ? number(value, digits) : number(value, 2, "compact"));
const told = (axis, value) => axis.names[value] ?? axis.unit.replace("{}", number(value, axis.digits));

function show(figure, chart) {
  const groups = Map.groupBy(chart.series, (one) => one.group || one.name);
  const names = [...groups.keys()];
  const on = new Set(names.slice(0, chart.shown));
  const svg = draw("svg", { role: "img", tabindex: 0, "aria-label": summary(chart, names) });
  const tip = make("output", { class: "tip" });
  const plot = make("div", { class: "plot" }, svg, tip);
  let lines = []; // what can be told: points of curves, bars of rows, parts of boxes
  let at = [0, -1];

  const redraw = () => {
    tip.textContent = "";
    const series = names.filter((name) => on.has(name)).flatMap((name) => groups.get(name));
    lines = drawn(svg, chart, series, plot.clientWidth || WIDTH);
  };
  const tell = (items) => {
    svg.querySelector(".here")?.remove();
    tip.textContent = [...new Set(items.map(({ text }) => text))].slice(0, 6).join("\n");
    if (!items.length) return;
    const { left, right, top, bottom } = items[0];
    const round = { x: left - 4, y: top - 4, width: right - left + 8, height: bottom - top + 8, rx: 4 };
    svg.append(draw("rect", { class: "here", ...round }));
    tip.style.left = `${max(0, min((left + right) / 2, plot.clientWidth - tip.offsetWidth))}px`;
    tip.style.top = `${top - tip.offsetHeight - 10 < 0 ? bottom + 10 : top - tip.offsetHeight - 10}px`;
  };
  for (const type of ["pointermove", "pointerdown"]) {
    svg.addEventListener(type, ({ clientX, clientY }) => {
      const { left, top } = svg.getBoundingClientRect();
      tell(nearest(lines.flat(), clientX - left, clientY - top));
    });
  }
  // a finger leaves at once
  svg.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && tell([]));
  svg.addEventListener("blur", () => tell([]));
  svg.addEventListener("keydown", (event) => {
    const [down, right] = KEYS[event.key] ?? [];
    if (down === undefined || !lines.length) return;
    event.preventDefault();
    const line = max(0, min(at[0] + down, lines.length - 1));
    const old = lines[at[0]]?.[at[1]];
    // another line is entered where the old one was left
    const near = line !== at[0] && old && nearest(lines[line], old.left, old.top)[0];
    at = [line, near ? lines[line].indexOf(near) : max(0, min(at[1] + right, lines[line].length - 1))];
    tell([lines[line][at[1]]]);
  });

  const legend = make("div", { class: "legend" });
  const enlist = (name) => {
    const button = make("button", { type: "button" }, swatch(chart, groups.get(name)[0]), make("bdi", {}, name));
    const paint = () => {
      for (const one of legend.querySelectorAll("button")) one.setAttribute("aria-pressed", on.has(one.textContent));
      redraw();
    };
    button.addEventListener("click", () => {
      if (!on.delete(name)) on.add(name);
      paint();
    });
    button.addEventListener("dblclick", () => {
      const alone = on.size === 1 && on.has(name);
      const listed = [...legend.querySelectorAll("button")].map((one) => one.textContent);
      on.clear();
      for (const one of alone ? listed : [name]) on.add(one);
      paint();
    });
    button.setAttribute("aria-pressed", on.has(name));
    legend.append(button);
  };
  if (chart.kind !== "boxes") names.slice(0, chart.listed).forEach(enlist);
  const choose = (name) => {
    on.add(name);
    enlist(name);
    redraw();
  };
  figure.append(legend, ...others(chart, names, choose), plot, numbers(chart));
  redraw();
  new ResizeObserver(() => {
    if (plot.clientWidth && svg.viewBox.baseVal.width !== plot.clientWidth) redraw();
  }).observe(plot);
}

/** The name of the picture, for those who do not see it. */
function summary(chart, names) {
  const whose = names.slice(0, chart.listed).join(", ");
  return `${about(chart)}, of ${whose}. Arrow keys tell one after the other.`;
}

const about = ({ title, at, value }) => `${title}: ${value.title} by ${at.title}`;

/** What a name of the legend looks like in the chart. */
function swatch({ kind }, { color, dash, width }) {
  const bar = kind !== "curves" || width;
  return draw("svg", { viewBox: "0 0 24 11", "aria-hidden": "true" }, bar
    ? draw("rect", { x: 6, width: 12, height: 11, rx: 2, fill: color })
    : draw("line", { x2: 24, y1: 5.5, y2: 5.5, stroke: color, "stroke-width": 3, "stroke-dasharray": dash }));
}

/** A list of the groups that have no room in the legend. */
function others({ listed }, names, choose) {
  if (names.length <= listed) return [];
  const left = names.slice(listed);
  const none = make("option", { value: "" }, `choose one of ${left.length}`);
  const list = make("select", {}, none, ...left.map((name) => make("option", {}, name)));
  list.addEventListener("change", () => {
    choose(list.value);
    list.selectedOptions[0].remove();
  });
  return [make("label", {}, `The first ${listed} of ${names.length} are listed. Another one: `, list)];
}

/** All numbers as a table, made when it is opened: a page has hundreds of curves. */
function numbers(chart) {
  const details = make("details", {}, make("summary", {}, "All numbers"));
  details.addEventListener("toggle", () => {
    if (details.childElementCount > 1) return;
    const { at, value, series } = chart;
    const where = [...new Set(series.flatMap((one) => one.at))].sort((a, b) => a - b);
    const named = (place) => make("th", { scope: "row" }, at.names[place] ?? number(place, at.digits));
    const rows = new Map(where.map((place) => [place, [named(place)]]));
    series.forEach((one) => {
      const cells = new Map(one.values.map((_, index) => [one.at[index], range(one, index, value)]));
      for (const [place, row] of rows) row.push(make("td", {}, cells.get(place) ?? ""));
    });
    const titles = [at.title, ...series.map(({ name }) => name)];
    const head = titles.map((name) => make("th", { scope: "col" }, make("bdi", {}, name)));
    const body = [...rows.values()].map((row) => make("tr", {}, ...row));
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
    const across = chart.kind === "curves" ? at : value;
    const marks = chart.marks.map(([place, text]) => make("p", {}, `${told(across, place)}: ${text}`));
    const region = { class: "numbers", tabindex: 0, role: "region", "aria-label": about(chart) };
    details.append(make("div", region, ...marks, table));
  });
  return details;
}

/** A value and its interval. */
function range({ values, low, high }, index, { digits }) {
  if (values[index] === null) return "";
  const interval = low.length ? ` (${number(low[index], digits)} to ${number(high[index], digits)})` : "";
  return number(values[index], digits) + interval;
}

const worded = ({ value }, one, index) => value.unit.replace("{}", range(one, index, value));

/** The items nearest to a place: more than one where they cover each other. */
function nearest(items, x, y) {
  const away = (from, to, place) => max(from - place, 0, place - to);
  const far = items.map(({ left, right, top, bottom }) => hypot(away(left, right, x), away(top, bottom, y)));
  const least = far.reduce((a, b) => min(a, b), Infinity);
  return items.filter((_, index) => far[index] === least);
}

/** Draw a chart as wide as this, with these of its series; what can be told, in lines. */
function drawn(svg, chart, series, width) {
  svg.replaceChildren();
  const { fontFamily, fontSize } = getComputedStyle(svg);
  canvas.font = `${fontSize} ${fontFamily}`;
  const ground = { svg, chart, series, width, letter: parseFloat(fontSize) };
  const lines = chart.kind === "curves" ? curves(ground) : rows(ground);
  return lines.filter((line) => line.length);
}

/** Where the numbers of an axis lie between two ends, and which of them stand beside it. */
function scale(axis, numbers, from, to, apart) {
  let [low, high] = [min(...numbers), max(...numbers)];
  const most = max(2, floor(abs(to - from) / apart));
  if (axis.scale === "log") {
    [low, high] = [floor(log10(low)), log10(high) + 0.1];
    const place = (value) => from + ((log10(value) - low) / (high - low)) * (to - from);
    const powers = Array.from({ length: ceil(high - low) }, (_, index) => 10 ** (low + index));
    return { place, ticks: powers.filter((_, index) => index % ceil(powers.length / most) === 0) };
  }
  if (low === high) high += 1;
  const rough = (high - low) / most;
  const power = 10 ** floor(log10(rough));
  const step = max(10 ** -axis.digits, power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999));
  const first = ceil(low / step - 1e-9);
  const ticks = Array.from({ length: floor(high / step + 1e-9) - first + 1 }, (_, index) => (first + index) * step);
  if (axis.scale === "places") {
    [from, to, low, high] = [to, from, 0.5, high + 0.5];
    if (ticks[0] !== 1) ticks.unshift(1);
  }
  return { place: (value) => from + ((value - low) / (high - low)) * (to - from), ticks };
}

const wide = (text) => canvas.measureText(text).width;
const written = (text, x, y, attributes = {}) => draw("text", { x, y, ...attributes }, text);

/** The lines and numbers of the axis below, and marks across it. */
function below({ svg, chart, width, letter }, axis, { place, ticks }, left, top, floorAt) {
  svg.setAttribute("viewBox", `0 0 ${width} ${floorAt + 3 * letter}`);
  let free = -Infinity;
  for (const value of ticks) {
    const x = place(value);
    svg.append(draw("line", { class: value === 0 ? "zero" : "grid", x1: x, x2: x, y1: top, y2: floorAt }));
    const text = tick(value, axis.digits);
    const at = min(x, width - wide(text) / 2);
    if (at - wide(text) / 2 < free) continue;
    svg.append(written(text, at, floorAt + 1.2 * letter, { "text-anchor": "middle" }));
    free = at + wide(text) / 2 + letter / 2;
  }
  const title = { class: "axis-title", "text-anchor": "middle" };
  svg.append(written(axis.title, (left + width) / 2, floorAt + 2.6 * letter, title));
  free = -Infinity;
  for (const [value, text] of chart.marks) {
    const x = place(value);
    svg.append(draw("line", { class: "mark", x1: x, x2: x, y1: top, y2: floorAt }));
    if (x - free < 1.1 * letter) continue;
    svg.append(written(text, x - 3, top, { "text-anchor": "end", transform: `rotate(-90 ${x - 3} ${top})` }));
    free = x;
  }
}

function curves(ground) {
  const { svg, chart, series, width, letter } = ground;
  const [top, floorAt] = [2 * letter, max(14 * letter, min(width * 0.45, 32 * letter)) - 3 * letter];
  const known = series.flatMap(({ values, low, high }) => [...values, ...low, ...high]);
  const numbers = [chart.value.scale === "places" ? 1 : 0, ...known.filter((value) => value !== null)];
  const up = scale(chart.value, numbers, floorAt, top, 2.5 * letter);
  const texts = up.ticks.map((value) => tick(value, chart.value.digits));
  const left = letter + max(0, ...texts.map(wide));
  const places = series.flatMap((one) => [one.at[0] - one.width / 2, one.at.at(-1) + one.width / 2]);
  const across = scale(chart.at, places.length ? places : [0], left, width - letter / 2, 5 * letter);
  up.ticks.forEach((value, index) => {
    const y = up.place(value);
    svg.append(draw("line", { class: value === 0 ? "zero" : "grid", x1: left, x2: width, y1: y, y2: y }));
    svg.append(written(texts[index], left - letter / 2, y + letter / 3, { "text-anchor": "end" }));
  });
  svg.append(written(chart.value.title, 0, letter, { class: "axis-title" }));
  below(ground, chart.at, across, left, top, floorAt);
  return series.toReversed().map((one) => curve(svg, chart, one, across.place, up.place)).reverse();
}

/** One curve, or columns, over the band of its intervals; its points, as what can be told. */
function curve(svg, chart, one, x, y) {
  const items = one.values.flatMap((value, index) => {
    if (value === null) return [];
    const [at, half] = [one.at[index], one.width / 2];
    const text = `${one.name}, ${told(chart.at, at)}: ${worded(chart, one, index)}`;
    const bottom = y(one.width ? 0 : value);
    return [{ left: x(at - half), right: x(at + half), top: y(value), bottom, text, index }];
  });
  if (one.low.length) {
    const edge = (ends) => ends.map((value, index) => `${x(one.at[index])},${y(value)}`);
    const points = [...edge(one.high), ...edge(one.low).reverse()].join(" ");
    svg.append(draw("polygon", { points, fill: one.color, "fill-opacity": 0.2 }));
  }
  if (one.shape === "columns") {
    svg.append(...items.map((item) => bar(item, one.color, 0.6)));
    return items;
  }
  const path = items.map(({ left, top, index }, place) => {
    const [to, level] = [left.toFixed(1), top.toFixed(1)];
    if (items[place - 1]?.index !== index - 1) return `M${to} ${level}h0`;
    return one.shape === "steps" ? `H${to}V${level}` : `L${to} ${level}`;
  });
  svg.append(draw("path", { class: "curve", d: path.join(""), stroke: one.color, "stroke-dasharray": one.dash }));
  if (one.shape === "dots" || items.length === 1) {
    svg.append(...items.map(({ left, top }) => draw("circle", { cx: left, cy: top, r: 3, fill: one.color })));
  }
  return items;
}

function bar({ left, right, top, bottom }, fill, opacity = 1) {
  const size = { x: left, y: top, width: max(0, right - left), height: max(0, bottom - top) };
  return draw("rect", { ...size, fill, "fill-opacity": opacity });
}

/** Bars or boxes, a row for each name. */
function rows(ground) {
  const { svg, chart, series, width, letter } = ground;
  const boxes = chart.kind === "boxes";
  const names = boxes ? series.map(({ name }) => name) : chart.at.names;
  const thick = 1.4 * letter;
  const high = (chart.kind === "beside" ? series.length : 1) * thick + 0.8 * letter;
  const top = letter / 2;
  const end = top + names.length * high;
  const left = min(width * 0.4, letter + max(0, ...names.map(wide)));
  const sums = names.map((_, row) => series.reduce((sum, one) => sum + (one.values[row] ?? 0), 0));
  const known = chart.kind === "stacked" ? sums : series.flatMap(({ values, high: ends }) => [...values, ...ends]);
  const numbers = [...known, ...chart.marks.map(([value]) => value), ...(boxes ? [] : [0])];
  const across = scale(chart.value, numbers, left, width - letter, 5 * letter);
  below(ground, chart.value, across, left, top, end);
  return names.map((name, row) => {
    const y = top + row * high + 0.4 * letter;
    const room = left - letter / 2;
    svg.append(written(fitted(name, room), room, y + high / 2 - 0.1 * letter, { "text-anchor": "end" }));
    if (boxes) return box(svg, chart, series[row], across.place, y, thick);
    return bars(svg, chart, series, row, across.place, y, thick);
  });
}

function bars(svg, chart, series, row, x, y, thick) {
  let sum = 0;
  return series.flatMap((one, number) => {
    const value = one.values[row];
    if (!value && chart.kind === "stacked") return [];
    const [from, top] = chart.kind === "stacked" ? [sum, y] : [0, y + number * thick];
    sum += value;
    const text = `${chart.at.names[row]}, ${one.name}: ${worded(chart, one, row)}`;
    const [left, right] = [x(from), x(from + value)].sort((a, b) => a - b);
    const item = { left, right, top, bottom: top + thick, text };
    svg.append(bar(item, one.color));
    if (one.low.length) {
      const [low, high, middle] = [x(one.low[row]), x(one.high[row]), top + thick / 2];
      const d = `M${low} ${middle}H${high}M${low} ${middle - 4}v8M${high} ${middle - 4}v8`;
      svg.append(draw("path", { class: "whisker", d }));
    }
    return [item];
  });
}

/** A box from the second value to the fourth, the third in it; whiskers to the first and fifth, a mark at the last. */
function box(svg, chart, one, x, y, thick) {
  const [low, first, middle, third, high, last] = one.values.map(x);
  const [half, bottom] = [y + thick / 2, y + thick];
  const ends = `M${low} ${y + 4}V${bottom - 4}M${high} ${y + 4}V${bottom - 4}M${last} ${y}V${bottom}`;
  svg.append(draw("path", { class: "whisker", d: `M${low} ${half}H${first}M${third} ${half}H${high}${ends}` }));
  svg.append(bar({ left: first, right: max(third, first + 1), top: y, bottom }, one.color));
  svg.append(draw("path", { class: "whisker", d: `M${middle} ${y}V${bottom}` }));
  return one.values.map((value, index) => {
    const text = `${one.name}, ${told(chart.at, one.at[index])}: ${told(chart.value, value)}`;
    return { left: x(value), right: x(value), top: half, bottom: half, text };
  });
}

/** A name cut to the room that it has. */
function fitted(name, room) {
  const letters = [...name];
  while (letters.length > 1 && wide(letters.join("")) > room) letters.splice(-2, 2, "\u2026");
  return letters.join("");
}

for (const figure of document.querySelectorAll(".chart")) {
  show(figure, JSON.parse(figure.querySelector("script").textContent));
}
