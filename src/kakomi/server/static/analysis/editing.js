// Changing the study: every edit is on disk before the page shows it.

import { busy, node, show } from "./page.js";

export function listenToForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.dataset.shows) return;
    event.preventDefault();
    send(form, event.submitter);
  });
  document.addEventListener("change", (event) => {
    if (event.target.form?.id === "view") send(event.target.form);
  });
  addEventListener("beforeunload", (event) => isUnsaved() && event.preventDefault());
}

/** Send a form and show the part of the page that it names. */
export async function send(form, submitter = null) {
  if (busy()) return false;
  if (form.id !== "comment" && !(await saveNote())) return false;
  const current = document.getElementById(form.id) ?? form; // a saved note has shown the form anew
  const fields = new FormData(current);
  if (submitter?.name) fields.set(submitter.name, submitter.value);
  return show(form.dataset.shows, form.action, { method: "POST", body: fields });
}

/** Play an action where the board stands. */
export function play(action) {
  const form = document.getElementById("deed");
  form.elements.value.value = action;
  return send(form);
}

/** Save what was written and not saved yet; true if nothing is left unsaved. */
export async function saveNote() {
  if (!isUnsaved()) return true;
  await send(document.getElementById("comment"));
  return !isUnsaved();
}

function isUnsaved() {
  const text = node().querySelector("#comment-text");
  return Boolean(text) && ("unsaved" in text.dataset || text.value !== text.defaultValue);
}
