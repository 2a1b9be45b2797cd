// The board: one click, tap or press of Enter is one action.

import { choose, chosen, forget } from "./choice.js";
import { goTo, sendCommand } from "./forms.js";
import { busy, table } from "./swap.js";

const FINGER = 40; // pixels
const WAYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
const STEPS = { PageUp: "before", PageDown: "after", Home: "first", End: "last" };

export function listenToBoard() {
  document.addEventListener("click", clicked);
  document.addEventListener("keydown", pressed);
  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.("#board .target")) rove(event.target);
  });
}

/** A board that is shown anew: one of its targets is in the order of Tab, the focused one if there is one. */
export function settleBoard(shown) {
  forget();
  const focused = document.activeElement;
  if (focused?.matches("#board .target") && shown.contains(focused)) rove(focused);
}

function clicked(event) {
  const target = event.target.closest?.("#board .target");
  if (!target || !table().dataset.hasOwnProperty("playing")) return;
  const isFinger = event.pointerType && event.pointerType !== "mouse";
  if (isFinger && isNarrow(target) && chosen() !== target) choose(target, () => play(target));
  else play(target);
}

const isNarrow = (target) => target.getBoundingClientRect().width < FINGER;

/** Play there; where that isn't allowed the answer says why. */
function play(target) {
  if (busy()) return;
  const action = target.dataset.action ?? target.dataset.point;
  if (!action) return;
  target.classList.add("is-sent");
  sendCommand(`touch ${action}`);
}

function pressed(event) {
  const target = event.target.closest?.("#board .target");
  if (!target || event.altKey || event.ctrlKey || event.metaKey) return;
  if (answered(event.key, target)) event.preventDefault();
}

/** Whether the key means something on the board. */
function answered(key, target) {
  if (key in WAYS) return walk(target, WAYS[key]);
  if (key in STEPS) return step(STEPS[key]);
  if (key === "Enter" || key === " ") return enter(target);
  if (key === "Escape" && chosen()) return forget();
  if (key === "Escape" || key === "Backspace") return press("#untouch");
  return press(`#table [data-key="${CSS.escape(key.toLowerCase())}"]`);
}

function walk(target, way) {
  document.getElementById(`board-${target.dataset[way]}`)?.focus();
  return true;
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

function rove(target) {
  for (const other of document.querySelectorAll("#board .target[tabindex='0']")) other.setAttribute("tabindex", "-1");
  target.setAttribute("tabindex", "0");
}
