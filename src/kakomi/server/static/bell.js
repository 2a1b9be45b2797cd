// The bell in a page's head: it is asked for now and then while the page is looked at, and more seldom once nobody
// has touched it for a while. What was told of the table that is looked at counts as seen. One key leads to the next
// game that waits.

const WRITES = "input:not([type=checkbox]):not([type=radio]), textarea, select, dialog, [contenteditable]";
const EVERY = 20000; // milliseconds
const SELDOM = 120000; // the same on a page that nobody touches
const AWAKE = 120000; // milliseconds after a touch

const bell = document.getElementById("bell");
const table = bell?.dataset.table ?? "";
let last = 0;
let touched = Date.now();

async function look() {
  if (document.hidden || !bell) return;
  last = Date.now();
  try {
    const answer = await fetch(`${bell.dataset.address}?table=${encodeURIComponent(table)}`);
    if (!answer.ok) return;
    const { count, here } = await answer.json();
    show(count - here);
    if (here) await markSeen();
  } catch {
    // the connection is gone; the page says so where that matters
  }
}

/** Somebody is there: who comes back to the page sees at once what is new. */
function touch() {
  const now = Date.now();
  const wasIdle = now - touched > AWAKE;
  touched = now;
  if (wasIdle && now - last >= EVERY) look();
}

function lookIfDue() {
  const now = Date.now();
  if (now - last >= (now - touched > AWAKE ? SELDOM : EVERY)) look();
}

function show(count) {
  const shown = bell.querySelector(".bell-count");
  shown.textContent = count;
  shown.hidden = !count;
}

function markSeen() {
  const csrfmiddlewaretoken = document.querySelector("[name=csrfmiddlewaretoken]").value;
  return fetch(bell.dataset.seen, { method: "POST", body: new URLSearchParams({ table, csrfmiddlewaretoken }) });
}

function goOn(event) {
  if (event.key !== "n" || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest(WRITES)) return;
  event.preventDefault();
  location.assign(`${bell.dataset.next}?after=${encodeURIComponent(table)}`);
}

if (bell) {
  document.addEventListener("keydown", goOn);
  for (const element of document.querySelectorAll("[data-next-game]")) element.hidden = false;
  setInterval(lookIfDue, EVERY);
  for (const kind of ["pointermove", "pointerdown", "keydown", "scroll"]) {
    addEventListener(kind, touch, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", () => Date.now() - last > 3000 && look());
  addEventListener("pageshow", (event) => event.persisted && look());
  if (table) look();
}
