// The board: one click, tap or press of Enter is one action.

import { listenToTargets, needsSecondTap, rove } from "../boardview/board.js";
import { choose, chosen, forget } from "./choice.js";
import { goTo, sendCommand } from "./forms.js";
import { busy, table } from "./swap.js";

const STEPS = { PageUp: "before", PageDown: "after", Home: "first", End: "last" };

export const listenToBoard = () => listenToTargets("#board .target", { clicked, pressed });

/** A board that is shown anew: one of its targets is in the order of Tab, the focused one if there is one. */
export function settleBoard(shown) {
  forget();
  const focused = document.activeElement;
  if (focused?.matches("#board .target") && shown.contains(focused)) rove(focused);
}

function clicked(target, event) {
  if (!table().dataset.hasOwnProperty("playing")) return;
  if (needsSecondTap(target, event) && chosen() !== target) choose(target, () => play(target));
  else play(target);
}

/** Play there; where that isn't allowed the answer says why. */
function play(target) {
  if (busy()) return;
  const action = target.dataset.action ?? target.dataset.point;
  if (!action) return;
  target.classList.add("is-sent");
  sendCommand(`touch ${action}`);
}

/** Whether the key means something on the board. */
function pressed(key, target) {
  if (key in STEPS) return step(STEPS[key]);
  if (key === "Enter" || key === " ") return enter(target);
  if (key === "Escape" && chosen()) return forget();
  if (key === "Escape" || key === "Backspace") return press("#untouch");
  return press(`#table [data-key="${CSS.escape(key.toLowerCase())}"]`);
}

function step(where) {
  const link = document.getElementById(`step-${where}`);
  if (link) goTo(link.href);
  return true;
}

function enter(target) {
  if ("complete" in table().dataset) return press("#confirm");
  if ("playing" in table().dataset) play(target);
  return true;
}

function press(selector) {
  const button = document.querySelector(selector);
  button?.click();
  return Boolean(button);
}
