// Commands on their way: one after the other, each sent again under its key until an answer has come.

import { askHere, busy, goTo, hold, mention, refresh, release, status, stopAsking, table } from "./page.js";

const SLOW = 700; // milliseconds without an answer before that is worth a word
const PATIENCE = [6000, 12000, 20000]; // milliseconds for an answer, by attempt
const PAUSES = [300, 1000, 2000, 4000]; // milliseconds before the next attempt
const MOST_WAITING = 12; // more than that is no turn that somebody has in mind
const TRY_AGAIN = [0, 408, 425, 429, 502, 503, 504]; // no answer, or one of a site that is busy or about to start

const waiting = []; // actions for the same turn, clicked before the answer to the one before had come
let current = null;
let wake = () => {};

addEventListener("online", () => wake());
addEventListener("offline", () => current !== null && stopAsking());

/** Whether a command is on its way. */
const isSending = () => current !== null;

/** Send a form; an action that comes while another is on its way follows it if the turn goes on. */
export async function send(form, submitter) {
  const value = submitter?.value ?? "";
  if (isSending()) return follow(value);
  release("dropped", "failed");
  try {
    for (let next = value; next !== undefined; next = waiting.shift()) {
      current = next;
      if (submitter?.id === "touch") submitter.value = next;
      const { turn } = table().dataset;
      const wasDone = await deliver(form.action, new URLSearchParams(new FormData(form, submitter)));
      if (!wasDone || table().dataset.turn !== turn) drop();
      else markWaiting();
    }
  } finally {
    current = null;
  }
}

/** Send a body until it is answered; whether it was done. */
async function deliver(address, body) {
  const slow = setTimeout(() => hold("sending"), SLOW);
  try {
    for (let attempt = 0; ; attempt += 1) {
      while (busy()) await pause(20);
      const options = { method: "POST", body, patience: PATIENCE[Math.min(attempt, PATIENCE.length - 1)] };
      if (await askHere(address, options)) return status() < 400;
      if (!TRY_AGAIN.includes(status())) return fail();
      release(navigator.onLine ? "offline" : "unanswered");
      hold(navigator.onLine ? "unanswered" : "offline");
      await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]);
    }
  } finally {
    clearTimeout(slow);
    release("sending", "unanswered", "offline");
  }
}

/** An answer that is none of the table's: what was done of it the table shows. */
function fail() {
  mention("failed");
  refresh();
  return false;
}

/** Wait, or until the browser is online again. */
function pause(milliseconds) {
  return new Promise((resolve) => {
    wake = resolve;
    setTimeout(resolve, milliseconds);
  });
}

function follow(value) {
  const last = waiting.at(-1) ?? current;
  if (!value.startsWith("touch ") || value === last || waiting.length >= MOST_WAITING) return;
  waiting.push(value);
  markWaiting();
}

/** The turn is over, or what was to come before was refused. */
function drop() {
  if (waiting.length) mention("dropped", waiting.map((value) => value.slice(6)).join(" "));
  waiting.length = 0;
}

/** Answers make all points look as if nothing were on its way to them. */
function markWaiting() {
  for (const value of waiting) {
    const action = CSS.escape(value.slice(6));
    const selector = `#board .target[data-action="${action}"], #board .target[data-point="${action}"]`;
    table().querySelector(selector)?.classList.add("is-sent");
  }
}

// Whatever is done at the table is sent by its forms.

export function listenToForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const says = form.id === "aside" && event.submitter?.dataset.sends;
    if (form.id !== "command" && form.id !== "look" && !says) return;
    event.preventDefault();
    if (says) sendText(form, event.submitter);
    else if (form.id === "look") look(form, event.submitter);
    else act(form, event.submitter);
  });
  document.addEventListener("change", (event) => {
    if (event.target.form?.id === "look") look(event.target.form, null);
  });
  document.addEventListener("keydown", (event) => {
    const { draft } = event.target.dataset ?? {};
    // Safari ends the composing before the Enter that confirms it: only the old code tells that one apart.
    if (!draft || event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    document.getElementById(draft).click();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-part]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    goTo(link.href);
  });
}

/** Do something: the kind and the value, such as `touch d4`. */
export function sendCommand(what) {
  const button = document.getElementById("touch");
  button.value = what;
  button.form.requestSubmit(button);
}

/** Do something; afterwards the page shows the table as it is now. */
async function act(form, submitter) {
  await send(form, submitter);
  if (location.search && !("past" in table().dataset)) history.replaceState(null, "", table().dataset.address);
}

/** Let boards look as the form says, once nothing else is on its way. */
async function look(form, submitter) {
  while (busy() || isSending()) await new Promise((go) => setTimeout(go, 20));
  await deliver(form.action + location.search, new URLSearchParams(new FormData(form, submitter)));
}

/** Send a text from beside the board. If it isn't taken, the page of its own says why, with the text. */
async function sendText(form, submitter) {
  const draft = () => document.getElementById(submitter.dataset.sends);
  const text = draft().value;
  if (!text.trim() || submitter.disabled) return;
  submitter.disabled = true;
  const options = { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "HX-Request": "true" } };
  const answer = await fetch(submitter.formAction, { ...options, credentials: "same-origin" }).catch(() => null);
  submitter.disabled = false;
  if (answer && !answer.ok) {
    form.action = submitter.formAction;
    form.submit();
  } else if (answer && draft()?.value === text) draft().value = "";
  if (answer?.ok) refresh();
}
