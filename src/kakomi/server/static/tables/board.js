// The board: one click, tap or press of Enter is one action.

import { listenToTargets, needsSecondTap, rove } from "../boards/board.js";
import { sendCommand } from "./sending.js";
import { mention, release, step, table } from "./page.js";

const STEPS = { PageUp: "before", PageDown: "after", Home: "first", End: "last" };

let last = null; // the target of the last click that played

export const listenToBoard = () => listenToTargets("#board .target", { clicked, pressed });

/** Set up an updated board: clear the selection, keep the focused target in the Tab order, and play a premove. */
export function settleBoard(shown) {
  forget();
  const focused = document.activeElement;
  if (focused?.matches("#board .target") && shown.contains(focused)) rove(focused);
  followPremove(shown, play);
}

function clicked(target, event) {
  const does = meaning();
  if (!does || (event.detail > 1 && target === last)) return; // the second half of a double click
  if (needsSecondTap(target, event) && picked !== target) choose(target, () => does(target));
  else does(target);
}

/** The function that a click on a target calls now, or null. */
function meaning() {
  if ("playing" in table().dataset) return play;
  return mayPremove() ? premoveThere : null;
}

/** Premove there, unless the viewer has just played there. */
function premoveThere(target) {
  forget();
  if (target !== last) premove(target);
}

/** Play there; if that isn't allowed, the response says why. */
function play(target) {
  const action = target.dataset.action ?? target.dataset.point;
  if (!action) return;
  last = target;
  target.classList.add("is-sent");
  sendCommand(`touch ${action}`);
}

/** Handle a key on the board. Returns whether it has a function. */
function pressed(key, target) {
  if (key in STEPS) return step(STEPS[key]) || true;
  if (key === "Enter" || key === " ") return enter(target);
  if (key === "Escape" && (picked || forgetPremove())) return forget();
  if (key === "Escape" || key === "Backspace") return press("#untouch");
  return press(`#table [data-key="${CSS.escape(key.toLowerCase())}"]`);
}

function enter(target) {
  if ("complete" in table().dataset) return press("#confirm");
  meaning()?.(target);
  return true;
}

function press(selector) {
  const button = document.querySelector(selector);
  button?.click();
  return Boolean(button);
}

// If points are narrower than a finger, a first tap selects a point and magnifies it, and a second one plays.

const REACH = 110; // drawing units around the selected point; neighbouring points are 40 apart

const previews = import("../boards/effects.js").catch(() => null); // playing works without it

let picked = null;
let playPicked = () => {};

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-play]")) playPicked();
  else if (event.target.closest("[data-cancel]")) forget();
});

/** Mark a target, show it magnified, and wait for another tap. */
function choose(element, whenPlayed) {
  forget();
  [picked, playPicked] = [element, whenPlayed];
  picked.classList.add("is-chosen");
  const panel = table().querySelector(".choice");
  const [x, y] = [picked.getAttribute("x"), picked.getAttribute("y")].map(Number);
  const magnifier = panel.querySelector(".magnifier");
  const board = document.getElementById("board").viewBox.baseVal;
  // A nested drawing has its own viewport, which must match that of the board.
  for (const name of ["x", "y", "width", "height"]) magnifier.querySelector("use").setAttribute(name, board[name]);
  magnifier.setAttribute("viewBox", `${x - REACH} ${y - REACH} ${2 * REACH} ${2 * REACH}`);
  const ring = magnifier.querySelector("circle");
  ring.setAttribute("cx", x);
  ring.setAttribute("cy", y);
  panel.querySelector("b").textContent = picked.dataset.point ?? picked.dataset.cell;
  panel.querySelector("[data-play]").disabled = !picked.dataset.action && !inPlayableCells() && !mayPremove();
  panel.hidden = false;
  tell(element, panel.querySelector(".effect"));
}

/** Describe in the panel what playing there does. */
async function tell(element, line) {
  line.textContent = "";
  const words = await (await previews)?.preview(element);
  if (picked === element) line.textContent = words ?? "";
}

/** Whether cells can be played; a point may then stand for a cell around it. */
const inPlayableCells = () => Boolean(document.querySelector("#board .target[data-cell][data-action]"));

/** Clear the selection. */
function forget() {
  if (picked) previews.then((module) => module?.clearPreview());
  picked?.classList.remove("is-chosen");
  picked = null;
  const panel = table().querySelector(".choice");
  if (panel) panel.hidden = true;
  return true;
}

// Premoves: a click during another player's turn is shown, and played in the viewer's turn if it is legal then.

const SWITCH = "kakomi.premoves";
const SWITCH_BEFORE = "kakomi.plans"; // the former name, for people who switched it off then

let kept = ""; // the id of a target

export const premovesAreOn = () => (localStorage.getItem(SWITCH) ?? localStorage.getItem(SWITCH_BEFORE)) !== "off";

export function switchPremoves(on) {
  localStorage.setItem(SWITCH, on ? "on" : "off");
  if (!on) forgetPremove();
}

/** Whether a click is a premove now. */
const mayPremove = () => "waits" in table().dataset && premovesAreOn();

/** Set a target as the premove, or cancel it if it is the same one. */
function premove(target) {
  const before = kept;
  forgetPremove();
  if (target.id === before) return;
  kept = target.id;
  markPremove();
  mention("premoved", target.dataset.point ?? target.dataset.cell);
}

/** Cancel the premove. Returns whether there was one. */
function forgetPremove() {
  document.getElementById(kept)?.classList.remove("is-premoved");
  const was = kept !== "";
  kept = "";
  release("premoved");
  return was;
}

/** Call `play(target)` if it is the viewer's turn and the premove is legal. */
function followPremove(shown, play) {
  if (!kept || mayPremove()) return markPremove();
  const target = document.getElementById(kept);
  forgetPremove();
  if (!target || "past" in shown.dataset || !("playing" in shown.dataset)) return;
  if (target.dataset.action) play(target);
  else mention("unplayable", target.dataset.point ?? target.dataset.cell);
}

function markPremove() {
  if (kept) document.getElementById(kept)?.classList.add("is-premoved");
}
