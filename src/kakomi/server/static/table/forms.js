// Whatever is done at the table is sent by its forms.

import { goTo } from "./history.js";
import { deliver, isSending, send } from "./sending.js";
import { busy, table } from "./swap.js";

export function listenToForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.id !== "command" && form.id !== "look") return;
    event.preventDefault();
    if (form.id === "look") look(form, event.submitter);
    else act(form, event.submitter);
  });
  document.addEventListener("change", (event) => {
    if (event.target.form?.id === "look") look(event.target.form, null);
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
