// Examples in the rules: one click, tap or press of Enter on a board is one action of the reader.

import { listenToTargets, rove } from "../boardview/board.js";

const TARGET = ".example .target";

listenToTargets(TARGET, { clicked: play, pressed });

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

/** Whether the key means something on the board. */
function pressed(key, target) {
  if (key !== "Enter" && key !== " ") return false;
  play(target);
  return true;
}
