// What the host takes home. A report takes a while, so the dealer is asked again until it is made.
import { byId, make, setText } from "/dom.js";
import { fetchFile } from "/host/link.js";

const ASK_MS = 700;
const FILES = ["journal", "report", "grades"];

let tell = { say: () => {}, lock: () => {} };
let tournaments = [];
let shown = "";
let asking = false;

export function bindFiles(ways) {
  tell = ways;
  for (const file of FILES) byId(`file-${file}`).addEventListener("click", () => download(file));
  byId("of").addEventListener("change", showNote);
}

/** The tournaments of this dealer that have begun, each with the name of its journal. */
export function showFiles(told) {
  const facts = JSON.stringify(told);
  if (facts === shown) return;
  shown = facts;
  const more = told.length > tournaments.length;
  tournaments = told;
  byId("files").hidden = told.length === 0;
  const select = byId("of");
  select.hidden = told.length < 2;
  const before = select.value;
  select.replaceChildren(...told.map(({ number }) => make("option", { value: number }, `tournament ${number}`)));
  select.value = more ? told.at(-1).number : before;
  showNote();
}

const chosen = () => tournaments.find(({ number }) => String(number) === byId("of").value);

function showNote() {
  const one = chosen();
  for (const file of FILES) byId(`file-${file}`).disabled = asking || !one?.journal;
  const soFar = "as far as it is played; it tells cards and ids, so it is for you alone";
  if (!asking) setText(byId("files-note"), !one ? "" : !one.journal ? "No journal is kept (--no-journal)." : one.over ? "" : soFar);
}

async function download(file) {
  const facts = { file, tournament: chosen().number };
  asking = true;
  showNote();
  let found = await fetchFile("/host/files", facts);
  while (found.status === 202) {
    const { share, seconds } = found.answer.making;
    setText(byId("files-note"), `Making the report: ${Math.round(100 * share)} % of the journal read, ${seconds} s.`);
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    found = await fetchFile("/host/files", facts);
  }
  asking = false;
  showNote();
  if (found.status === 401) tell.lock(found.answer.error);
  else if (found.status !== 200) tell.say(`Not done: ${found.answer.error}`, true);
  else keep(found, file);
}

function keep({ blob, name }, file) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  tell.say(`The ${file} ${file === "grades" ? "are" : "is"} saved as ${name}.`);
}
