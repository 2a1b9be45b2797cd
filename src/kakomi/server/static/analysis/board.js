// The board of the study: one click, tap or press of Enter plays there.

import { play } from "./editing.js";
import { busy, node, whenShown } from "./page.js";
import { stepFromBoard } from "./steps.js";

const WAYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
const FINGER = 40; // pixels

let chosen = null;

export function listenToBoard() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-play]");
    const target = event.target.closest("#board .target");
    if (button) play(button.dataset.play);
    else if (target) clicked(target, event);
  });
  document.addEventListener("keydown", pressed);
  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.("#board .target")) rove(event.target);
  });
  whenShown(() => (chosen = null));
}

/** Where points are narrower than a finger a first tap marks one and a second one plays. */
function clicked(target, event) {
  const isFinger = event.pointerType && event.pointerType !== "mouse";
  if (!isFinger || target.getBoundingClientRect().width >= FINGER || chosen === target) return enter(target);
  chosen?.classList.remove("is-chosen");
  chosen = target;
  target.classList.add("is-chosen");
}

function enter(target) {
  const action = target.dataset.action ?? target.dataset.point;
  if (action && !busy() && node().querySelector("#comment")) play(action);
}

function pressed(event) {
  const target = event.target.closest?.("#board .target");
  if (!target || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in WAYS) document.getElementById(`board-${target.dataset[WAYS[event.key]]}`)?.focus();
  else if (event.key === "Enter" || event.key === " ") enter(target);
  else if (event.key === "Backspace") node().querySelector("[value='shorten']")?.click();
  else if (!stepFromBoard(event.key)) return;
  event.preventDefault();
}

function rove(target) {
  for (const other of document.querySelectorAll("#board .target[tabindex='0']")) other.setAttribute("tabindex", "-1");
  target.setAttribute("tabindex", "0");
}
