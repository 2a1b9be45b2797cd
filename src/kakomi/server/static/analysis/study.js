// The analysis board: a study, which one changes, and steps through by the list of moves, by buttons, and by keys outside
// the board.

import { listenToTargets, started, tapper } from "../boards/board.js";
import { Fragments, scrollKeeper } from "../boards/fragments.js";
import { onLink, onStepKeys } from "../site.js";

const page = new Fragments("study", scrollKeeper("#moves"));

export const study = () => page.element;
export const node = () => study().dataset.node;
export const whenShown = (listener) => page.whenShown(listener);
const address = () => study().dataset.address;

// After an update the page's URL is that of the shown node, which is announced to screen readers.
whenShown((shown, before) => {
  if (!before) return;
  history.replaceState(null, "", `${address()}?node=${node()}`);
  say(shown.dataset.said);
});

/** Fetch or change the study, and show the response. Returns false if there was none. */
async function ask(where, options) {
  if (page.busy) return false;
  const came = await page.ask(where, options);
  if (!came) say(document.getElementById("analysis").dataset.lost);
  return came;
}

function say(text) {
  document.getElementById("said").textContent = text;
}

// Changes: every edit is saved before the page shows it.

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!("shows" in form.dataset)) return;
  event.preventDefault();
  send(form, event.submitter);
});
document.addEventListener("change", (event) => {
  if (event.target.form?.id === "view") send(event.target.form);
});
addEventListener("beforeunload", (event) => isUnsaved() && event.preventDefault());

/** Send a form and show the response, after saving an unsaved note. */
async function send(form, submitter = null) {
  if (page.busy || (submitter?.id !== "save-note" && !(await saveNote()))) return;
  ask(form.action, { method: "POST", body: new FormData(form, submitter) });
}

/** Play an action at the shown node. */
async function play(action) {
  if (!page.busy && (await saveNote())) command("play", action);
}

/** Save an unsaved note. Returns whether nothing is left unsaved. */
async function saveNote() {
  if (!isUnsaved()) return true;
  await command("comment", note().value);
  return !isUnsaved();
}

function command(kind, value) {
  const form = document.getElementById("command");
  const body = new FormData(form);
  body.set("kind", kind);
  body.set("value", value);
  return ask(form.action, { method: "POST", body });
}

const note = () => study().querySelector("#comment-text");

function isUnsaved() {
  const text = note();
  return Boolean(text) && ("unsaved" in text.dataset || text.value !== text.defaultValue);
}

// Steps through the study, by links and keys.

const KEYS = { ArrowLeft: "before", ArrowRight: "next", ArrowUp: "above", ArrowDown: "below", Home: "first", End: "last" };
const BOARD_KEYS = { PageUp: "before", PageDown: "next", Home: "first", End: "last" };

let wanted = null;
let isGoing = false;

onLink("a[data-node]", (link) => go(link.dataset.node));
onStepKeys(KEYS, step);

/** Show a node. While one is being fetched, only the last request counts. */
async function go(number) {
  wanted = String(number);
  if (isGoing) return;
  isGoing = true;
  while (wanted !== null && wanted !== node()) {
    const next = wanted;
    if (!(await saveNote()) || !(await ask(`${address()}?node=${next}`))) break;
    if (wanted === next) wanted = null;
  }
  wanted = null;
  isGoing = false;
}

function step(where) {
  const from = wanted ?? node();
  const to = where === "first" ? "0" : where === "last" ? end(from) : entry(from)?.dataset[where];
  if (to === undefined) return false;
  go(to);
  return true;
}

const entry = (number) => document.querySelector(`#moves [data-node="${number}"]`);

function end(from) {
  let at = from;
  while (entry(at)?.dataset.next) at = entry(at).dataset.next;
  return at;
}

whenShown(mark);
new ResizeObserver(mark).observe(document.querySelector("section.moves")); // it shrinks when the engine is on

/** Mark the shown node in the list of moves and in the plot. */
function mark() {
  const number = node();
  for (const link of document.querySelectorAll("#moves [aria-current]")) link.removeAttribute("aria-current");
  const current = entry(number);
  current?.setAttribute("aria-current", "step");
  const list = document.getElementById("moves");
  if (current && list) {
    const [box, inside] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
    if (box.top < inside.top) list.scrollTop -= inside.top - box.top;
    else if (box.bottom > inside.bottom) list.scrollTop += box.bottom - inside.bottom;
  }
  markPlot();
}

/** Mark the shown node in the plot and, if it is a turning point, where it cost most on the board. */
function markPlot() {
  const number = node();
  const region = document.querySelector(`.turning-points [data-at="${number}"]`)?.dataset.region.split(" ") ?? [];
  for (const target of document.querySelectorAll("#board .target")) target.classList.toggle("is-lost", region.includes(target.dataset.point));
  for (const door of document.querySelectorAll("#chart a[data-node]")) {
    door.classList.toggle("is-here", door.dataset.node === number);
  }
}

// The board of the study: one click, tap or press of Enter plays there.

const tap = tapper(enter);

listenToTargets("#board .target", { clicked: tap.clicked, pressed });
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-play]");
  if (button) play(button.dataset.play);
});
whenShown(tap.forget);

function enter(target) {
  const action = target.dataset.action ?? target.dataset.point;
  if (action && !page.busy && study().querySelector("#comment")) play(action);
}

/** Handle a key on the board. Returns whether it has a function. */
function pressed(key, target) {
  if (key === "Enter" || key === " ") enter(target);
  else if (key === "Backspace") study().querySelector("#shorten")?.click();
  else return key in BOARD_KEYS && step(BOARD_KEYS[key]);
  return true;
}

// The engine, which the page can do without.

onStepKeys({ e: "engine-switch", o: "owners-switch" }, (id) => document.getElementById(id).click());
import("./engine.js").then(
  ({ listenToEngine }) => listenToEngine(),
  (error) => {
    document.getElementById("engine-state").textContent = document.getElementById("engine").dataset.missing;
    reportError(error);
  },
);

// The analysis of the game is refreshed while it is running, and when the study has changed.

const SECOND = 1000;
const analysis = new Fragments("game-analysis");
const look = () => analysis.ask(analysis.element.dataset.address);
analysis.whenShown(markPlot);
setInterval(() => "running" in analysis.element.dataset && look(), SECOND);
whenShown((shown, before) => before && before.version !== shown.dataset.version && look());
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "analysis-form") return;
  event.preventDefault();
  analysis.ask(form.action, { method: "POST", body: new FormData(form, event.submitter) });
});
started();
