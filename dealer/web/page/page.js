// The page: what the dealer tells goes to the part that shows it.
import { setColours } from "./colours.js";
import { byId, nameSuits, setText } from "./dom.js";
import { showCurves } from "./curves.js";
import { showTable } from "./table.js";
import { showTables, tableTitle } from "./tables.js";
import { showLeaders } from "./leaders.js";
import { showLobby, showStart } from "./lobby.js";
import { noteLeader, showMoments } from "./moments.js";
import { showNews } from "./news.js";
import { showPodium } from "./podium.js";
import { showPulse, showSign } from "./pulse.js";
import { listen } from "./stream.js";
import { forgetFrames, inAFrame } from "./frames.js";

const root = document.documentElement;
const LINKS = {
  live: "",
  lost: "The dealer does not answer. Trying again …",
  bye: "The dealer has closed. This is how things stood.",
};

/** The last of each event; empty before the first. */
const last = { scene: null, lobby: null, board: null, news: null, moments: null, curves: null, table: null };

/** Another tournament begins, in which the same numbers may be other players. */
function forget() {
  forgetFrames();
  for (const name of Object.keys(last)) last[name] = null;
  for (const element of document.querySelectorAll("[data-facts]")) delete element.dataset.facts;
}

function hear(event, facts) {
  if (event === "scene" && last.scene && last.scene.commitment !== facts.commitment) forget();
  last[event] = facts;
  const { scene, board } = last;
  if (!scene) return;
  if (event === "scene") {
    root.dataset.phase = scene.phase;
    root.classList.toggle("many", scene.players.length > 16);
    setText(byId("title"), scene.replay === null ? scene.title : `${scene.title}: replay of ${scene.replay}`);
    document.title = scene.replay !== null ? "Casino Day: replay" : scene.phase === "over" ? "Casino Day: final standings" : "Casino Day";
    setColours(scene.colours);
    nameSuits(scene.suits);
    showLobby(scene);
    setText(byId("message"), scene.message ?? "");
    byId("message").hidden = !scene.message;
  }
  showParts(event, scene, board);
}

function showParts(event, scene, board) {
  const whole = event === "scene";
  if (whole || event === "lobby") showStart(scene, last.lobby);
  if (board && (whole || event === "board" || event === "news")) {
    inAFrame("leaders", () => showLeaders(scene, board, last.news));
    showPodium(scene, board, last.news);
  }
  if (board && (whole || event === "board")) {
    noteLeader(board.rows[0]?.player ?? null);
    showPulse(scene, board);
    showSign(scene, board);
    inAFrame("tables", () => showTables(scene, board));
  }
  if (last.news && (whole || event === "news")) showNews(scene, last.news, event === "news");
  if (event === "moments") showMoments(scene, last.moments);
  if (last.curves && (whole || event === "curves")) inAFrame("curves", () => showCurves(scene, last.curves));
  if (last.table && (whole || event === "table")) inAFrame("table", () => showTable(scene, last.table, tableTitle(last.table.table, last.board)));
}

listen(hear, (link) => {
  root.dataset.link = link;
  setText(byId("link"), LINKS[link]);
});
