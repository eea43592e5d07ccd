// The colour of a player, the same on every screen. Eight players differ by colour, 32 by colour and shape.
import { make } from "./dom.js";

const COLOURS = 8;
const SHAPES = 4;

let numbers = [];

/** Let players have the colours of these numbers; without it, those of their own. */
export function setColours(told) {
  numbers = told;
}

/** Give an element the colour of a player, and the shape of its marks and lines. */
export function coloured(element, player) {
  const number = numbers[player] ?? player;
  const [colour, shape] = [String(number % COLOURS), String(Math.floor(number / COLOURS) % SHAPES)];
  if (element.dataset.colour !== colour) element.dataset.colour = colour;
  if (element.dataset.shape !== shape) element.dataset.shape = shape;
  return element;
}

/** A small mark in the colour of a player, to stand before its name. */
export const mark = (player) => coloured(make("i", { class: "mark", "aria-hidden": "true" }), player);
