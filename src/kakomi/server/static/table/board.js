// The board: one click, tap or press of Enter is one action.

import { listenToTargets, needsSecondTap, rove } from "../boardview/board.js";
import { sendCommand } from "./sending.js";
import { mention, release, step, table } from "./page.js";

const STEPS = { PageUp: "before", PageDown: "after", Home: "first", End: "last" };

let last = null; // what was played last by a click

export const listenToBoard = () => listenToTargets("#board .target", { clicked, pressed });

/** A board that is shown anew: one of its targets is in the order of Tab, the focused one if there is one. */
export function settleBoard(shown) {
  forget();
  const focused = document.activeElement;
  if (focused?.matches("#board .target") && shown.contains(focused)) rove(focused);
  followPremove(shown, play);
}

function clicked(target, event) {
  const does = meaning();
  if (!does || (event.detail > 1 && target === last)) return; // the second half of a double click
  if (needsSecondTap(target, event) && chosen() !== target) choose(target, () => does(target));
  else does(target);
}

/** What is done with a target now, if anything. */
function meaning() {
  if ("playing" in table().dataset) return play;
  return mayPremove() ? premoveThere : null;
}

/** Not on the stone that one has just put. */
function premoveThere(target) {
  forget();
  if (target !== last) premove(target);
}

/** Play there; where that isn't allowed the answer says why. */
function play(target) {
  const action = target.dataset.action ?? target.dataset.point;
  if (!action) return;
  last = target;
  target.classList.add("is-sent");
  sendCommand(`touch ${action}`);
}

/** Whether the key means something on the board. */
function pressed(key, target) {
  if (key in STEPS) return step(STEPS[key]) || true;
  if (key === "Enter" || key === " ") return enter(target);
  if (key === "Escape" && (chosen() || forgetPremove())) return forget();
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

// Where points are narrower than a finger: a first tap chooses a point and magnifies it, a second one plays.

const REACH = 110; // drawing units round the chosen point, neighbouring points being 40 apart

const previews = import("../boardview/preview.js").catch(() => null); // one can play without

let picked = null;
let playPicked = () => {};

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-play]")) playPicked();
  else if (event.target.closest("[data-cancel]")) forget();
});

/** The target that a first tap has chosen. */
export const chosen = () => picked;

/** Mark a target, show it magnified, and wait for another tap. */
export function choose(element, whenPlayed) {
  forget();
  [picked, playPicked] = [element, whenPlayed];
  picked.classList.add("is-chosen");
  const panel = table().querySelector(".choice");
  const [x, y] = [picked.getAttribute("x"), picked.getAttribute("y")].map(Number);
  const magnifier = panel.querySelector(".magnifier");
  const board = document.getElementById("board").viewBox.baseVal;
  // A nested drawing keeps its own frame: where it lies decides what is seen.
  const inner = magnifier.querySelector("use");
  inner.setAttribute("x", board.x);
  inner.setAttribute("y", board.y);
  inner.setAttribute("width", board.width);
  inner.setAttribute("height", board.height);
  magnifier.setAttribute("viewBox", `${x - REACH} ${y - REACH} ${2 * REACH} ${2 * REACH}`);
  const ring = magnifier.querySelector("circle");
  ring.setAttribute("cx", x);
  ring.setAttribute("cy", y);
  panel.querySelector("b").textContent = picked.dataset.point ?? picked.dataset.cell;
  panel.querySelector("[data-play]").disabled = !picked.dataset.action && !inPlayableCells() && !mayPremove();
  panel.hidden = false;
  tell(element, panel.querySelector(".effect"));
}

/** Say in the panel what playing there does. */
async function tell(element, line) {
  line.textContent = "";
  const words = await (await previews)?.preview(element);
  if (picked === element) line.textContent = words ?? "";
}

/** Whether cells can be played: then a point may mean the one round it. */
const inPlayableCells = () => Boolean(document.querySelector("#board .target[data-cell][data-action]"));

/** Let go of what was chosen. */
export function forget() {
  if (picked) previews.then((module) => module?.clearPreview());
  picked?.classList.remove("is-chosen");
  picked = null;
  const panel = table().querySelector(".choice");
  if (panel) panel.hidden = true;
  return true;
}

// A premove: a click while somebody else thinks is kept, shown, and played when it is one's turn, if that is allowed then.

const SWITCH = "kakomi.premoves";
const SWITCH_BEFORE = "kakomi.plans"; // what it was called where somebody has switched it off already

let kept = ""; // the id of a target

export const premovesAreOn = () => (localStorage.getItem(SWITCH) ?? localStorage.getItem(SWITCH_BEFORE)) !== "off";

export function switchPremoves(on) {
  localStorage.setItem(SWITCH, on ? "on" : "off");
  if (!on) forgetPremove();
}

/** Whether a click is one for the turn to come. */
const mayPremove = () => "waits" in table().dataset && premovesAreOn();

/** Keep a target instead of the one before; the same one again is let go. */
function premove(target) {
  const before = kept;
  forgetPremove();
  if (target.id === before) return;
  kept = target.id;
  markPremove();
  mention("premoved", target.dataset.point ?? target.dataset.cell);
}

/** Let go of it; whether there was one. */
function forgetPremove() {
  document.getElementById(kept)?.classList.remove("is-premoved");
  const was = kept !== "";
  kept = "";
  release("premoved");
  return was;
}

/** Call `play(target)` when it is one's turn and the premove is allowed. */
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
