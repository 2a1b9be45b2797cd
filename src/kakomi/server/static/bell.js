// The bell in a page's head: it is asked for now and then while the page is looked at, and more seldom once nobody
// has touched it for a while. What was told of the table that is looked at counts as seen. One key leads to the next
// game that waits.

import { sound } from "./boardview/sounds.js";
import { KEPT, listenTo } from "./lobby/stream.js";

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

// On all other pages, while somebody waits for an opponent: their seek stays open, and they are told when one comes.
// On all pages, while somebody plays in a live tournament: they are told when their game begins. One page of a browser
// listens for all, as a browser keeps only few connections to a site; the others hear of it by what is kept.

const LONGEST = 20 * 60 * 1000; // milliseconds; no live seek waits for so long
const CALL = "kakomi.call";
const note = document.getElementById("come");
const { title } = document;
const [since, after] = (localStorage.getItem(KEPT) ?? "0 0").split(" ");

let shown = "";

/** A game of one's own has begun elsewhere: the page's banner and title say so, and there is a sound. */
function announce({ address, said, until }) {
  if (location.pathname === address || shown === address) return;
  shown = address;
  if (said) note.querySelector("strong").textContent = said;
  const actBy = note.querySelector("[data-act-by]");
  const options = { hour: "2-digit", minute: "2-digit" };
  const time = new Date(until ?? 0).toLocaleTimeString(document.documentElement.lang, options);
  actBy.textContent = until ? actBy.dataset.actBy.replace("{time}", time) : "";
  note.querySelector("a").href = address;
  note.hidden = false;
  document.title = `● ${note.querySelector("strong").textContent}`;
  sound("ended");
}

/** The game that a tournament calls to, as any page of the browser has heard; null once there is none. */
function showCall(kept) {
  const call = JSON.parse(kept);
  if (call) return announce(call);
  if (shown) document.title = title;
  shown = "";
  note.hidden = true;
}

function hearCall(call) {
  const until = call?.left && Date.now() + 1000 * call.left;
  const kept = JSON.stringify(call && location.pathname !== call.address ? { ...call, until } : null);
  localStorage.setItem(CALL, kept);
  showCall(kept);
}

function listen() {
  listenTo(() => note.dataset.calls, "", () => "", { call: hearCall }, () => false);
  return new Promise(() => {}); // as long as the page is there
}

if (note && !document.getElementById("lobby") && Number(since) > Date.now() - LONGEST) {
  const { events, here } = note.dataset;
  const token = () => note.querySelector("[name=csrfmiddlewaretoken]").value;
  const address = () => `${events}?${new URLSearchParams({ mine: "", after })}`;
  const game = ({ address }) => {
    localStorage.removeItem(KEPT);
    announce({ address });
  };
  listenTo(address, here, token, { game }, () => true);
}

if (note) {
  const kept = localStorage.getItem(CALL) ?? "null";
  const isAnswered = JSON.parse(kept)?.address === location.pathname;
  if (!note.dataset.calls || isAnswered) localStorage.setItem(CALL, "null");
  else showCall(kept);
  addEventListener("storage", ({ key, newValue }) => key === CALL && showCall(newValue));
  if (note.dataset.calls) {
    if (navigator.locks) navigator.locks.request(CALL, listen);
    else listen();
  }
}
