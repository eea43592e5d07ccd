// How it goes, in a line of numbers; and a sign when something stands still.
import { byId, number, setText, showFacts } from "./dom.js";

export function showPulse(scene, board) {
  const facts = [["hand", board.hands ? `${number(board.hand)} / ${number(board.hands)}` : number(board.hand)]];
  const isShow = board.show_left !== null;
  if (scene.phase === "over") facts.push(["decisions", number(board.decisions)]);
  else if (!isShow) facts.push(["hands a second", number(board.hands_per_second)], ["decisions a second", number(board.decisions_per_second)]);
  if (scene.phase !== "over") facts.push(["playing", `${board.playing} / ${scene.players.length}`]);
  if (board.rounds > 1) facts.unshift(["round", `${number(board.round)} / ${number(board.rounds)}`]);
  if (board.level) facts.push(["level", number(board.level)]);
  for (const [name, chips] of Object.entries(board.stakes)) facts.push([name.replaceAll("_", " "), number(chips)]);
  if (scene.phase === "play" && isShow) facts.push(["minutes left", number(Math.round(board.show_left / 6) / 10)]);
  if (scene.phase === "play" && board.pace && !isShow) facts.push(["seconds a hand", number(board.pace)]);
  showFacts(byId("pulse"), facts);
}

export function showSign(scene, board) {
  const sign = byId("sign");
  let words = "";
  if (scene.phase === "play" && board.trouble) words = "The journal cannot be written just now. Play waits; no chip is lost.";
  else if (scene.phase === "play" && board.paused) words = "Paused by the host";
  setText(sign, words);
  sign.hidden = !words;
}
