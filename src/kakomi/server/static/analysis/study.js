// The analysis board: stepping through the study, by its list of moves, by the buttons, by keys where the board hasn't the focus.

import { address, ask, busy, follow, listenToForms, node, play, saveNote, study, whenShown } from "./page.js";
import { listenToTargets, started, tapper } from "../boardview/board.js";
import { Fragments } from "../boardview/fragments.js";

const KEYS = { ArrowLeft: "before", ArrowRight: "next", ArrowUp: "above", ArrowDown: "below", Home: "first", End: "last" };
const BOARD_KEYS = { PageUp: "before", PageDown: "next", Home: "first", End: "last" };

let wanted = null;
let isGoing = false;

export function listenToSteps() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-node]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.dataset.node);
  });
  document.addEventListener("keydown", pressed);
  whenShown(mark);
}

/** Show a node; while one is being fetched only the last that is asked for counts. */
export async function go(number) {
  wanted = String(number);
  if (isGoing) return;
  isGoing = true;
  while (wanted !== null && wanted !== node()) {
    const next = wanted;
    if (!(await saveNote()) || !(await ask(`${address()}?node=${next}`))) break;
    if (wanted === next) wanted = null;
  }
  wanted = null;
  isGoing = false;
}

/** What keys do on the board itself, where the arrows walk from point to point. */
function stepFromBoard(key) {
  return key in BOARD_KEYS && step(BOARD_KEYS[key]);
}

function pressed(event) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, dialog, #board, [contenteditable]")) return;
  if (event.key === "e") document.getElementById("engine-switch").click();
  else if (!(event.key in KEYS) || !step(KEYS[event.key])) return;
  event.preventDefault();
}

function step(where) {
  const from = wanted ?? node();
  const to = where === "first" ? "0" : where === "last" ? end(from) : entry(from)?.dataset[where];
  if (to === undefined) return false;
  go(to);
  return true;
}

const entry = (number) => document.querySelector(`#moves [data-node="${number}"]`);

function end(from) {
  let at = from;
  while (entry(at)?.dataset.next) at = entry(at).dataset.next;
  return at;
}

/** Mark the node that is shown in the list of moves and in the plot. */
function mark() {
  const number = node();
  for (const link of document.querySelectorAll("#moves [aria-current]")) link.removeAttribute("aria-current");
  const current = entry(number);
  current?.setAttribute("aria-current", "step");
  const list = document.getElementById("moves");
  if (current && list) {
    const [box, inside] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
    if (box.top < inside.top) list.scrollTop -= inside.top - box.top;
    else if (box.bottom > inside.bottom) list.scrollTop += box.bottom - inside.bottom;
  }
  markPlot();
}

function markPlot() {
  const number = node();
  for (const door of document.querySelectorAll("#chart a[data-node]")) {
    door.classList.toggle("is-here", door.dataset.node === number);
  }
}

// The board of the study: one click, tap or press of Enter plays there.

const tap = tapper(enter);

export function listenToBoard() {
  listenToTargets("#board .target", { clicked: tap.clicked, pressed: pressedOnBoard });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-play]");
    if (button) play(button.dataset.play);
  });
  whenShown(tap.forget);
}

function enter(target) {
  const action = target.dataset.action ?? target.dataset.point;
  if (action && !busy() && study().querySelector("#comment")) play(action);
}

/** Whether the key means something on the board. */
function pressedOnBoard(key, target) {
  if (key === "Enter" || key === " ") enter(target);
  else if (key === "Backspace") study().querySelector("#shorten")?.click();
  else return stepFromBoard(key);
  return true;
}

const SECOND = 1000;

whenShown(follow);
listenToForms();
listenToSteps();
listenToBoard();
import("../controls.js").catch(reportError);
import("./engine.js").then(
  ({ listenToEngine }) => listenToEngine(),
  (error) => {
    document.getElementById("engine-switch").disabled = true;
    document.getElementById("engine-state").textContent = document.getElementById("engine").dataset.missing;
    reportError(error);
  },
);

// The analysis of the game shows itself anew while it goes on, and when the study was changed.
const analysis = new Fragments("game-analysis");
const look = () => analysis.ask(analysis.element.dataset.address);
analysis.whenShown(markPlot);
setInterval(() => "running" in analysis.element.dataset && look(), SECOND);
whenShown((shown, before) => before && before.version !== shown.dataset.version && look());
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "analysis-form") return;
  event.preventDefault();
  analysis.ask(form.action, { method: "POST", body: new FormData(form, event.submitter) });
});
started();
