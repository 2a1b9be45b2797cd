// Changing the study: every edit is on disk before the page shows it.

import { ask, busy, study } from "./page.js";

export function listenToForms() {
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
}

/** Send a form and show the answer; a note that isn't saved yet goes first. */
async function send(form, submitter = null) {
  if (busy() || (submitter?.id !== "save-note" && !(await saveNote()))) return false;
  return ask(form.action, { method: "POST", body: new FormData(form, submitter) });
}

/** Play an action where the board stands. */
export async function play(action) {
  return !busy() && (await saveNote()) && command("play", action);
}

/** Save what was written and not saved yet; true if nothing is left unsaved. */
export async function saveNote() {
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
