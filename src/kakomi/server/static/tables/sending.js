// Sends commands one after the other, each repeatedly under the same key until there is a response.

import { askHere, busy, goTo, hold, mention, refresh, release, status, stopAsking, table } from "./page.js";

const SLOW = 700; // milliseconds without a response before the page mentions it
const PATIENCE = [6000, 12000, 20000]; // the timeout of each attempt, in milliseconds
const PAUSES = [300, 1000, 2000, 4000]; // milliseconds before the next attempt
const MOST_WAITING = 12; // the most queued actions, more than anybody plans in a turn
const TRY_AGAIN = [0, 408, 425, 429, 502, 503, 504]; // no response, or one of a site that is busy or starting

const waiting = []; // queued actions of the same turn, clicked before the response to the one before
let current = null;
let wake = () => {};

addEventListener("online", () => wake());
addEventListener("offline", () => current !== null && stopAsking());

/** Whether a command is being sent. */
const isSending = () => current !== null;

/** Send a form. While a command is being sent, queue further actions, to be sent if the turn continues. */
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

/** Send a body until there is a response. Returns whether the command was executed. */
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

/** Handle a response that isn't the table: refresh, to show what was done. */
function fail() {
  mention("failed");
  refresh();
  return false;
}

/** Wait for a time, or until the browser is online again. */
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

/** Drop the queued actions, as the turn is over or an action before them was refused. */
function drop() {
  if (waiting.length) mention("dropped", waiting.map((value) => value.slice(6)).join(" "));
  waiting.length = 0;
}

/** Mark the targets of queued actions again, as responses remove the marks. */
function markWaiting() {
  for (const value of waiting) {
    const action = CSS.escape(value.slice(6));
    const selector = `#board .target[data-action="${action}"], #board .target[data-point="${action}"]`;
    table().querySelector(selector)?.classList.add("is-sent");
  }
}

// The forms of the table, by which all commands are sent.

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
    // Safari ends the composition before the Enter key that confirms it, so only the legacy key code identifies it.
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

/** Send a command, given by kind and value such as `touch d4`. */
export function sendCommand(what) {
  const button = document.getElementById("touch");
  button.value = what;
  button.form.requestSubmit(button);
}

/** Send a command; afterwards the page shows the present. */
async function act(form, submitter) {
  await send(form, submitter);
  if (location.search && !("past" in table().dataset)) history.replaceState(null, "", table().dataset.address);
}

/** Send what the engine in this browser found for a bot, without leaving an earlier moment. */
export async function decide(form, choice, base) {
  const body = new URLSearchParams(new FormData(form));
  body.set("kind", `decide ${choice}`);
  body.set("base", base);
  while (isSending()) await new Promise((go) => setTimeout(go, 20));
  await deliver(form.action + location.search, body);
}

/** Send the form with the look of boards, once no other request is running. */
async function look(form, submitter) {
  while (busy() || isSending()) await new Promise((go) => setTimeout(go, 20));
  await deliver(form.action + location.search, new URLSearchParams(new FormData(form, submitter)));
}

/** Send a text from a panel. If it is refused, submit the form, so that its own page shows the text and the reason. */
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
