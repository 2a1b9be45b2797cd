// Examples in the rules: one click, tap or press of Enter on a board is one action of the reader.

import { listenToTargets, rove, started } from "../boardview/board.js";
import { Fragments } from "../boardview/fragments.js";

const TARGET = ".example .target";

const examples = new Map();
for (const { id } of document.querySelectorAll(".example")) {
  const example = new Fragments(id);
  examples.set(id, example);
  example.whenShown((shown, before) => {
    if (before) announce(shown.dataset.said);
    if (before && "completed" in shown.dataset && !("completed" in before)) complete(shown);
    if (document.activeElement?.matches(TARGET) && shown.contains(document.activeElement)) rove(document.activeElement);
  });
}

listenToTargets(TARGET, { clicked: play, pressed });

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const example = examples.get(form.closest(".example")?.id);
  if (!example || form.matches(".complete")) return;
  event.preventDefault();
  if (example.busy) return;
  const query = new URLSearchParams(new FormData(form, event.submitter));
  const address = new URL(form.action);
  address.hash = "";
  if (!(await example.ask(`${address}?${query}`))) announce(document.querySelector(".rulebook").dataset.lost);
});
started();

/** Have the site remember it, and show how much of the course is done. */
async function complete(example) {
  const form = example.querySelector("form.complete");
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return announce(document.querySelector(".rulebook").dataset.lost);
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  for (const fresh of [...holder.content.children]) document.getElementById(fresh.id)?.replaceWith(fresh);
}

function announce(text) {
  document.getElementById("announced").textContent = text;
}

/** Ask what happens there; where nothing may be played the answer says why. */
function play(target) {
  const form = target.closest(".example.is-open")?.querySelector("form");
  if (!form) return;
  const touched = form.querySelector("input[name=at]");
  touched.value = target.dataset.action ?? target.dataset.point ?? target.dataset.cell;
  form.requestSubmit();
  touched.value = "";
}

/** Whether the key means something on the board. */
function pressed(key, target) {
  if (key !== "Enter" && key !== " ") return false;
  play(target);
  return true;
}
