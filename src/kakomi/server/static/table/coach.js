// The coach beside the board. What it has to say of a position comes as events, for as long as the page is seen; what
// it speaks of is drawn on the board: a badge where something is threatened, the whole turn where one points at it.

import { Fragments } from "../boardview/fragments.js";
import { clearPreview, drawMark } from "../boardview/preview.js";
import { goTo, table, whenShown } from "./page.js";

const REST = 250; // milliseconds that a position stays before it is thought about: bots answer in less
const PARTS = ["chance", "threat", "verdict"];

let asked = ""; // the position that is judged
let source = null;
let timer = null;
let said = {}; // part -> what was said of this position last: its words, and what is drawn with them
let pointed = null;

const panel = () => document.querySelector("[data-coach]");
const place = (part) => panel().querySelector(`[data-part="${part}"]`);
const turnAt = (event) => event.target.closest?.(".coach-turn");

export function listenToCoach() {
  addEventListener("pagehide", close);
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : follow()));
  document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && turnAt(event) && point(turnAt(event)));
  document.addEventListener("pointerout", (event) => turnAt(event) && point(null));
  document.addEventListener("focusin", (event) => turnAt(event) && point(turnAt(event)));
  document.addEventListener("focusout", (event) => turnAt(event) && point(null));
  document.addEventListener("click", (event) => turnAt(event) && point(turnAt(event)));
}

/** Have the position judged that the page shows, unless it is an earlier one; it may be the same as before. */
export function follow() {
  if (!panel() || "past" in table().dataset || document.hidden) return leave();
  const { entries } = table().dataset;
  const now = `${entries} ${document.querySelector('[data-fragment="board"]').dataset.etag}`;
  if (now === asked) return draw();
  leave();
  asked = now;
  for (const part of PARTS) place(part).classList.add("is-old");
  timer = setTimeout(open, REST);
}

function leave() {
  close();
  asked = "";
  said = {};
  pointed = null;
  draw();
}

function close() {
  clearTimeout(timer);
  source?.close();
  source = null;
}

function open() {
  source = new EventSource(panel().dataset.coach);
  source.addEventListener("advice", (event) => {
    for (const [part, words] of Object.entries(JSON.parse(event.data))) show(part, words);
    draw();
  });
  source.addEventListener("end", (event) => {
    close();
    const { state } = JSON.parse(event.data);
    for (const part of PARTS) if (!(part in said)) show(part, { html: part === "chance" && state ? state : "" });
  });
  source.addEventListener("error", () => {
    if (!("chance" in said)) show("chance", { html: panel().dataset.lost });
  });
}

/** Say it if it is new: what stays as it is isn't heard again. */
function show(part, words) {
  const shown = place(part);
  said[part] = words;
  shown.classList.remove("is-old");
  if (shown.dataset.html === words.html) return;
  const hadFocus = shown.contains(document.activeElement);
  shown.dataset.html = words.html;
  shown.innerHTML = words.html;
  if (hadFocus) document.querySelector("#board .target[tabindex='0']").focus({ preventScroll: true });
}

function point(turn) {
  if (turn !== pointed) clearPreview();
  pointed = turn;
  draw();
}

/** What is pointed at, else what is threatened. */
function draw() {
  if (pointed?.isConnected) drawMark(said[pointed.dataset.shows]);
  else drawMark({ badges: said.threat?.badges });
}

// How a finished game went: its win chances and turning points, which a player asks for by a button.

const SECOND = 1000;
const graphPanel = () => document.getElementById("game-graph");

let graph = null;
let graphBoard = "";

export function listenToGraph() {
  document.addEventListener("submit", (event) => {
    if (event.submitter?.id !== "turning-points" || !graphPanel()) return;
    event.preventDefault();
    beginGraph(event.target);
  });
  document.addEventListener("click", (event) => {
    const door = event.target.closest("#game-graph .chart a");
    if (!door || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    goTo(door.getAttribute("href"));
  });
  setInterval(() => graphPanel() && "running" in graphPanel().dataset && !document.hidden && askGraph(), SECOND);
  whenShown(followGraph);
}

/** Have the game analysed, and show what is known of it. */
async function beginGraph(form) {
  await askGraph({ method: "POST", body: new FormData(form) });
  graphPanel().scrollIntoView({ block: "nearest" });
}

async function askGraph(options) {
  graph ??= new Fragments("game-graph");
  await graph.ask(graphPanel().dataset.address, options);
  markGraph();
}

/** Mark what the board shows; the marks are drawn for the way in which it is turned. */
function followGraph() {
  const shown = graphPanel();
  if (!shown || !("wanted" in shown.dataset)) return;
  const { etag } = document.querySelector('[data-fragment="board"]').dataset;
  const isTurned = graphBoard && graphBoard !== etag;
  graphBoard = etag;
  if (isTurned) askGraph();
  else markGraph();
}

/** The turn in the plot, and the turning point whose position is looked at: its better turn is drawn on the board. */
function markGraph() {
  const { ply } = document.querySelector(".steps").dataset;
  const isPast = "past" in document.getElementById("table").dataset;
  for (const door of graphPanel().querySelectorAll(".chart a")) {
    door.classList.toggle("is-here", door.getAttribute("href").endsWith(`ply=${ply}`));
  }
  for (const point of graphPanel().querySelectorAll("li[data-ply]")) {
    const isHere = isPast && point.dataset.ply === ply;
    point.classList.toggle("is-here", isHere);
    if (isHere) drawMark({ badges: point.dataset.badges, changes: JSON.parse(point.dataset.changes) });
  }
}
