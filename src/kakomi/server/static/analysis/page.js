// The study as it is shown, and asking for it anew.

import { Fragments } from "../boardview/fragments.js";

const page = new Fragments("study", keep);

export const study = () => page.element;
export const busy = () => page.busy;
export const node = () => study().dataset.node;
export const address = () => study().dataset.address;
export const whenShown = (listener) => page.whenShown(listener);

/** Ask for the study, or change it, and show the answer. False if none came. */
export async function ask(where, options) {
  if (busy()) return false;
  const came = await page.ask(where, options);
  if (!came) say(document.getElementById("analysis").dataset.lost);
  return came;
}

/** Let the page's address name the node that is shown, and tell people who hear the page. */
export function follow(shown, before) {
  if (!before) return;
  history.replaceState(null, "", `${address()}?node=${node()}`);
  say(shown.dataset.said);
}

function say(text) {
  document.getElementById("said").textContent = text;
}

/** The list of moves stays where it is scrolled to. */
function keep(before) {
  const top = before.querySelector("#moves").scrollTop;
  return (after) => {
    after.querySelector("#moves").scrollTop = top;
  };
}

// Changing the study: every edit is on disk before the page shows it.

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
