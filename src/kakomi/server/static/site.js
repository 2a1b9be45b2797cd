// What every page has: keys, links, fields and menus, and the bell.

// Keys that work wherever the focus is, except in fields.

const WRITES = "input:not([type=checkbox]):not([type=radio]), textarea, select, dialog, [contenteditable]";
const ELSEWHERE = "input, #board"; // where the keys of steps have other functions
const meanings = new Map();

// Events reach the window last, so boards, which listen on the document, come first.
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const does = meanings.get(event.key);
  if (does && !event.target.closest(WRITES) && does(event) !== false) event.preventDefault();
});

/** Assign a function to a key without modifiers; `does()` returns false if the key has no effect now. */
export const onKey = (key, does) => meanings.set(key, does);

/** Assign steps to keys: `step(keys[key])` returns false if there is no such step. */
export function onStepKeys(keys, step) {
  for (const [key, where] of Object.entries(keys)) {
    onKey(key, ({ target, shiftKey }) => !shiftKey && !target.closest(ELSEWHERE) && step(where));
  }
}

/** Call `does(link)` instead of following a link, unless it is to be opened in another tab or window. */
export function onLink(selector, does) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest(selector);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    does(link);
  });
}

export const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;

// If the script of a page with a board can't be loaded, including its imports, the page shows a message and the fields
// that replace clicks on the board.

const needed = document.querySelector("[data-script]")?.dataset.script;

if (needed) {
  import(needed).catch(() => {
    for (const field of document.querySelectorAll(".without-scripts")) field.classList.add("is-needed");
  });
}

// Buttons that copy a field: `data-copy` is the field's id, `data-copied` the button's text afterwards.
// Buttons that share a field by the system's share dialog, if there is one: `data-share` is the field's id.
// Style sheets hide both until the root element shows that they work.

document.documentElement.dataset.copies = "";
if (navigator.share) document.documentElement.dataset.shares = "";

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // for pages without TLS, where the clipboard isn't available
  }
  button.textContent = button.dataset.copied;
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-share]");
  if (!button) return;
  const url = document.getElementById(button.dataset.share).value;
  navigator.share({ title: document.title, url }).catch(() => {}); // cancelling isn't an error
});

// Fields begin with the browser's time zone if none has been chosen, and with times in that zone.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll("#zone[data-guess]")) {
  if (!field.options || [...field.options].some((option) => option.value === zone)) field.value = zone;
}
for (const field of document.querySelectorAll("input[data-moment]")) {
  const moment = new Date(1000 * field.dataset.moment);
  field.value = new Date(moment - 60_000 * moment.getTimezoneOffset()).toISOString().slice(0, 16);
}

// Menus over the page: Escape closes the one with the focus, or else any.

const MENUS = "details.drawer[open], details.menu[open], details.resigning[open]";

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || event.isComposing || event.target.closest("select, dialog")) return;
    const focused = event.target.closest(MENUS);
    const menu = focused ?? document.querySelector(MENUS);
    if (!menu) return;
    event.preventDefault();
    event.stopPropagation(); // the board also uses this key
    menu.open = false;
    if (focused) menu.querySelector("summary").focus();
  },
  true,
);

// The sample game on the home page, played one picture after the other as long as the page is visible.

const PICTURE = 1400; // milliseconds
const sample = document.querySelector("[data-replay]");

if (sample && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
  const [all, step] = [sample.dataset.replay, sample.dataset.step].map(Number);
  let plies = 0;
  setInterval(() => {
    if (document.hidden) return;
    plies = plies >= all ? 0 : Math.min(plies + step, all);
    const address = new URL(sample.src);
    address.searchParams.set("at", plies);
    const next = new Image();
    next.onload = () => (sample.src = next.src);
    next.src = address;
  }, PICTURE);
}

// The bell in a page's head: it is refreshed regularly while the page is visible, and less often when it hasn't been
// used for a while. Notices about the shown table count as seen. A key opens the next game that waits.

const EVERY = 20000; // milliseconds
const SELDOM = 120000; // milliseconds on an unused page
const AWAKE = 120000; // milliseconds after which a page counts as unused

const bell = document.getElementById("bell");
const table = bell?.dataset.table ?? "";
let last = 0;
let touched = Date.now();

if (bell) {
  onKey("n", () => location.assign(`${bell.dataset.next}?after=${encodeURIComponent(table)}`));
  for (const element of document.querySelectorAll("[data-next-game]")) element.hidden = false;
  setInterval(lookIfDue, EVERY);
  for (const kind of ["pointermove", "pointerdown", "keydown", "scroll"]) {
    addEventListener(kind, touch, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", () => Date.now() - last > 3000 && look());
  addEventListener("pageshow", (event) => event.persisted && look());
  if (table) look();
}

async function look() {
  if (document.hidden) return;
  last = Date.now();
  try {
    const answer = await fetch(`${bell.dataset.address}?table=${encodeURIComponent(table)}`);
    if (!answer.ok) return;
    const { count, here } = await answer.json();
    const shown = bell.querySelector(".bell-count");
    shown.textContent = count - here;
    shown.hidden = count === here;
    const body = new URLSearchParams({ table, csrfmiddlewaretoken: token() });
    if (here) await fetch(bell.dataset.seen, { method: "POST", body });
  } catch {
    // the connection is lost; pages show that if it matters
  }
}

/** Note that the page is being used. After a while without use, refresh at once. */
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

// Games that begin while the viewer is on another page are announced (news.js).

/** The local storage key for when the viewer began to wait for a live game, and the number of their latest game. */
export const WAITING = "kakomi.waiting";

/** The local storage key for the game that begins in a tournament. */
export const CALL = "kakomi.call";

const note = document.getElementById("come");

if (note) {
  if (!note.dataset.calls) localStorage.setItem(CALL, "null");
  if (note.dataset.calls || localStorage.getItem(WAITING)) import("./news.js");
  addEventListener("storage", ({ key, newValue }) => key === CALL && import("./news.js").then(({ showCall }) => showCall(newValue)));
}
