// Whatever is done at the table is sent by its forms.

import { goTo } from "./history.js";
import { deliver, isSending, send } from "./sending.js";
import { busy, refresh, table } from "./swap.js";

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
