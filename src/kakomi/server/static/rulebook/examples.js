// Examples in the rules: one click, tap or press of Enter on a board is one action of the reader.

import "../pointer.js";

const WAYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
const TARGET = ".example .target";

document.addEventListener("click", (event) => {
  const target = event.target.closest?.(TARGET);
  if (target) play(target);
});

document.addEventListener("keydown", (event) => {
  const target = event.target.closest?.(TARGET);
  if (!target || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in WAYS) walk(target, WAYS[event.key]);
  else if (event.key === "Enter" || event.key === " ") play(target);
  else return;
  event.preventDefault();
});

document.addEventListener("focusin", (event) => {
  if (event.target.matches?.(TARGET)) rove(event.target);
});

document.addEventListener("htmx:afterSettle", () => {
  if (document.activeElement?.matches(TARGET)) rove(document.activeElement);
});

document.addEventListener("htmx:afterSwap", (event) => {
  const example = document.getElementById(event.detail.target.id);
  if (!example?.matches(".example")) return;
  document.getElementById("announced").textContent = example.dataset.said;
  if (document.activeElement === document.body) example.querySelector(".target[tabindex='0']")?.focus({ preventScroll: true });
});

/** Ask what happens there; where nothing may be played the answer says why. */
function play(target) {
  const form = target.closest(".example.is-open")?.querySelector("form");
  if (!form || form.matches(".htmx-request")) return;
  form.querySelector("input[name=at]").value = target.dataset.action ?? target.dataset.point ?? target.dataset.cell;
  form.requestSubmit();
}

function walk(target, way) {
  const board = target.closest("svg");
  document.getElementById(`${board.id}-${target.dataset[way]}`)?.focus();
}

function rove(target) {
  for (const other of target.closest("svg").querySelectorAll(".target[tabindex='0']")) other.setAttribute("tabindex", "-1");
  target.setAttribute("tabindex", "0");
}
