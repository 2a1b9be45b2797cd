// The board of the study: one click, tap or press of Enter plays there.

import { listenToTargets, needsSecondTap } from "../boardview/board.js";
import { play } from "./editing.js";
import { busy, study, whenShown } from "./page.js";
import { stepFromBoard } from "./steps.js";

let chosen = null;

export function listenToBoard() {
  listenToTargets("#board .target", { clicked, pressed });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-play]");
    if (button) play(button.dataset.play);
  });
  whenShown(() => (chosen = null));
}

/** Where points are narrower than a finger a first tap marks one and a second one plays. */
function clicked(target, event) {
  if (!needsSecondTap(target, event) || chosen === target) return enter(target);
  chosen?.classList.remove("is-chosen");
  chosen = target;
  target.classList.add("is-chosen");
}

function enter(target) {
  const action = target.dataset.action ?? target.dataset.point;
  if (action && !busy() && study().querySelector("#comment")) play(action);
}

/** Whether the key means something on the board. */
function pressed(key, target) {
  if (key === "Enter" || key === " ") enter(target);
  else if (key === "Backspace") study().querySelector("#shorten")?.click();
  else return stepFromBoard(key);
  return true;
}
