// Keys that mean the same wherever the focus is, but where something is written or chosen.

const WRITES = "input:not([type=checkbox]):not([type=radio]), textarea, select, dialog, [contenteditable]";
const meanings = new Map();

/** Let a key without modifiers do something; `does()` says false if it means nothing now. */
export const onKey = (key, does) => meanings.set(key, does);

export function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const does = meanings.get(event.key);
    if (does && !event.target.closest(WRITES) && does(event) !== false) event.preventDefault();
  });
  const keys = document.getElementById("keys");
  onKey("?", () => keys.showModal());
  for (const element of document.querySelectorAll(".for-scripts")) element.hidden = false;
  document.addEventListener("click", (event) => event.target.closest("[data-keys]") && keys.showModal());
}
