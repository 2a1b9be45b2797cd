// News of the table by server-sent events: it is shown anew when it has changed. A lost connection is said,
// and made again; the first event of each says how far the game is.

import { busy, refresh, table, whenShown } from "./swap.js";

const PATIENCE = 2000; // milliseconds before a lost connection is worth a word
const connection = document.getElementById("connection");

let source = null;
let worry = null;
let retry = null;
let latest = 0;
let present = null;
let drafted = null; // a turn that is being put together, perhaps on another page of the same person's

export function connect() {
  open();
  // A page that the browser keeps to go back to must not hold its connection.
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("online", open);
  whenShown(showPresent);
  whenShown(catchUp);
}

function open() {
  close();
  source = new EventSource(table().dataset.events);
  source.addEventListener("open", isBack);
  source.addEventListener("error", isLost);
  source.addEventListener("table", (event) => {
    isBack();
    latest = Number(event.data);
    catchUp(table());
  });
  source.addEventListener("draft", (event) => {
    drafted = JSON.parse(event.data).seen;
    catchUp(table());
  });
  source.addEventListener("presence", (event) => {
    present = JSON.parse(event.data);
    showPresent(table());
  });
  source.addEventListener("thinking", (event) => {
    const { seat, progress } = JSON.parse(event.data);
    const bar = table().querySelector(`[data-thinking="${seat}"]`);
    if (bar) bar.value = progress;
  });
}

function close() {
  clearTimeout(worry);
  clearTimeout(retry);
  worry = null;
  source?.close();
}

function isBack() {
  clearTimeout(worry);
  worry = null;
  if (connection.dataset.isLost) connection.hidden = true;
  delete connection.dataset.isLost;
}

function isLost() {
  worry ??= setTimeout(() => {
    connection.dataset.isLost = "yes";
    connection.textContent = connection.dataset.lost;
    connection.hidden = false;
  }, PATIENCE);
  // An answer that is no stream ends a source for good.
  if (source.readyState === EventSource.CLOSED) {
    clearTimeout(retry);
    retry = setTimeout(open, PATIENCE);
  }
}

/** Show the table anew if there is news of it, or a step of a turn, that the page doesn't have. */
async function catchUp(shown) {
  const draft = drafted;
  if (latest <= Number(shown.dataset.news) && (draft === null || draft === seen())) {
    drafted = null;
  } else if (busy()) {
    setTimeout(() => catchUp(table()), 50);
  } else {
    drafted = null; // looked at once, whatever has become of it meanwhile
    if (await refresh()) return;
    drafted ??= draft;
    retry = setTimeout(() => catchUp(table()), PATIENCE);
  }
}

const seen = () => document.getElementById("command").elements.seen.value;

function showPresent(shown) {
  if (!present) return;
  for (const mark of shown.querySelectorAll("[data-presence]")) {
    const isHere = present.seats.includes(Number(mark.dataset.presence));
    mark.classList.toggle("is-here", isHere);
    mark.textContent = isHere ? mark.dataset.here : mark.dataset.away;
  }
  const watchers = shown.querySelector("#watchers");
  watchers.textContent = present.others ? watchers.dataset.some : "";
}
