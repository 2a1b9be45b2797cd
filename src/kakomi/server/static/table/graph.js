// How a finished game went: its win chances and turning points, which a player asks for by a button.

import { Fragments } from "../boardview/fragments.js";
import { drawMark } from "../boardview/marks.js";
import { goTo } from "./history.js";
import { whenShown } from "./swap.js";

const SECOND = 1000;
const panel = () => document.getElementById("game-graph");

let graph = null;
let board = "";

export function listenToGraph() {
  document.addEventListener("submit", (event) => {
    if (event.submitter?.id !== "turning-points" || !panel()) return;
    event.preventDefault();
    begin(event.target);
  });
  document.addEventListener("click", (event) => {
    const door = event.target.closest("#game-graph .chart a");
    if (!door || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    goTo(door.getAttribute("href"));
  });
  setInterval(() => panel() && "running" in panel().dataset && !document.hidden && ask(), SECOND);
  whenShown(follow);
}

/** Have the game analysed, and show what is known of it. */
async function begin(form) {
  await ask({ method: "POST", body: new FormData(form) });
  panel().scrollIntoView({ block: "nearest" });
}

async function ask(options) {
  graph ??= new Fragments("game-graph");
  await graph.ask(panel().dataset.address, options);
  mark();
}

/** Mark what the board shows; the marks are drawn for the way in which it is turned. */
function follow() {
  const shown = panel();
  if (!shown || !("wanted" in shown.dataset)) return;
  const { etag } = document.querySelector('[data-fragment="board"]').dataset;
  const isTurned = board && board !== etag;
  board = etag;
  if (isTurned) ask();
  else mark();
}

/** The turn in the plot, and the turning point whose position is looked at: its better turn is drawn on the board. */
function mark() {
  const { ply } = document.querySelector(".steps").dataset;
  const isPast = "past" in document.getElementById("table").dataset;
  for (const door of panel().querySelectorAll(".chart a")) {
    door.classList.toggle("is-here", door.getAttribute("href").endsWith(`ply=${ply}`));
  }
  for (const point of panel().querySelectorAll("li[data-ply]")) {
    const isHere = isPast && point.dataset.ply === ply;
    point.classList.toggle("is-here", isHere);
    if (isHere) drawMark({ badges: point.dataset.badges, changes: JSON.parse(point.dataset.changes) });
  }
}
