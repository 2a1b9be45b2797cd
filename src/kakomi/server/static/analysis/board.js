// The board of the study: one click, tap or press of Enter plays there.

import { listenToTargets, tapper } from "../boardview/board.js";
import { play } from "./editing.js";
import { busy, study, whenShown } from "./page.js";
import { stepFromBoard } from "./steps.js";

const tap = tapper(enter);

export function listenToBoard() {
  listenToTargets("#board .target", { clicked: tap.clicked, pressed });
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
function pressed(key, target) {
  if (key === "Enter" || key === " ") enter(target);
  else if (key === "Backspace") study().querySelector("#shorten")?.click();
  else return stepFromBoard(key);
  return true;
}
