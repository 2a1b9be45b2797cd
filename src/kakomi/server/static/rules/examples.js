// Examples in the rules: one click, tap or press of Enter on a board plays one action.

import { listenToTargets, rove, started } from "../boards/board.js";
import { Fragments } from "../boards/fragments.js";

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
  if (!(await judgedHere(example, address, query)) && !(await example.ask(`${address}?${query}`))) {
    announce(document.querySelector(".rulebook").dataset.lost);
  }
});
started();

/** Have the engine in this browser judge the move, if the page has one. Returns whether it did. */
async function judgedHere(example, address, query) {
  if (!document.getElementById("device")) return false;
  const { canSearchHere, foundHere } = await import("../engine/device.js");
  if (!canSearchHere() || !(await example.ask(`${address}?${query}&engine`))) return false;
  const { question } = example.element.dataset;
  if (!question) return true; // it was judged before, or is illegal
  const asked = JSON.parse(question);
  example.busy = true;
  example.element.setAttribute("aria-busy", "true");
  const report = await foundHere(asked);
  example.busy = false;
  return Boolean(report) && example.ask(`${address}?${query}&engine=${Math.round(1000 * report.chances[asked.player])}`);
}

/** Save that an example is completed, and show the progress of the course. */
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

/** Play there; if that isn't allowed, the response says why. */
function play(target) {
  const form = target.closest(".example.is-open")?.querySelector("form");
  if (!form) return;
  const touched = form.querySelector("input[name=at]");
  touched.value = target.dataset.action ?? target.dataset.point ?? target.dataset.cell;
  form.requestSubmit();
  touched.value = "";
}

/** Handle a key on the board. Returns whether it has a function. */
function pressed(key, target) {
  if (key !== "Enter" && key !== " ") return false;
  play(target);
  return true;
}
