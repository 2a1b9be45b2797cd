// Where points are narrower than a finger: a first tap chooses a point and magnifies it, a second one plays.

import { mayPremove } from "./premove.js";
import { table } from "./swap.js";

const REACH = 110; // drawing units round the chosen point, neighbouring points being 40 apart

const previews = import("../boardview/preview.js").catch(() => null); // one can play without

let target = null;
let play = () => {};

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-play]")) play();
  else if (event.target.closest("[data-cancel]")) forget();
});

/** The target that a first tap has chosen. */
export const chosen = () => target;

/** Mark a target, show it magnified, and wait for another tap. */
export function choose(element, whenPlayed) {
  forget();
  [target, play] = [element, whenPlayed];
  target.classList.add("is-chosen");
  const panel = table().querySelector(".choice");
  const [x, y] = [target.getAttribute("x"), target.getAttribute("y")].map(Number);
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
  panel.querySelector("b").textContent = target.dataset.point ?? target.dataset.cell;
  panel.querySelector("[data-play]").disabled = !target.dataset.action && !inPlayableCells() && !mayPremove();
  panel.hidden = false;
  tell(element, panel.querySelector(".effect"));
}

/** Say in the panel what playing there does. */
async function tell(element, line) {
  line.textContent = "";
  const words = await (await previews)?.preview(element);
  if (target === element) line.textContent = words ?? "";
}

/** Whether cells can be played: then a point may mean the one round it. */
const inPlayableCells = () => Boolean(document.querySelector("#board .target[data-cell][data-action]"));

/** Let go of what was chosen. */
export function forget() {
  if (target) previews.then((module) => module?.clearPreview());
  target?.classList.remove("is-chosen");
  target = null;
  const panel = table().querySelector(".choice");
  if (panel) panel.hidden = true;
  return true;
}
