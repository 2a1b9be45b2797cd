// Whatever is done at the table is sent by its forms.

import { ask, busy, table } from "./swap.js";

const connection = document.getElementById("connection");

export function listenToForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.id !== "command" && form.id !== "look") return;
    event.preventDefault();
    send(form, event.submitter);
  });
  document.addEventListener("change", (event) => {
    if (event.target.form?.id === "look") send(event.target.form, null);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-part]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    goTo(link.href);
  });
}

/** Show another moment of the game, and let the page's address name it unless it is now. */
export async function goTo(address) {
  if (!(await ask(address))) return;
  const shown = table().dataset;
  history.replaceState(null, "", "past" in shown ? address : shown.address);
}

/** Do something: the kind and the value, such as `touch d4`. */
export function sendCommand(what) {
  const button = document.getElementById("touch");
  button.value = what;
  button.form.requestSubmit(button);
}

async function send(form, submitter) {
  if (busy()) return;
  const body = new URLSearchParams(new FormData(form, submitter));
  const isLook = form.id === "look";
  // The form's key names the command, so it can be sent again if nobody knows whether it has arrived.
  const sent = await ask(form.action + (isLook ? location.search : ""), { method: "POST", body });
  if (sent && !isLook && location.search) history.replaceState(null, "", table().dataset.address);
  connection.textContent = sent ? "" : connection.dataset.unsent;
  connection.hidden = sent;
}
