// The board: one click, tap or press of Enter is one action.

import { listenToTargets, needsSecondTap, rove } from "../boardview/board.js";
import { choose, chosen, forget } from "./choice.js";
import { sendCommand } from "./forms.js";
import { step } from "./history.js";
import { followPremove, forgetPremove, mayPremove, premove } from "./premove.js";
import { table } from "./swap.js";

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
