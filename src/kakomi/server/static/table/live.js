// News of the table by server-sent events: it is shown anew when it has changed. A lost connection is said,
// and made again; the first event of each says how far the game is.

import { answerFor } from "../lobby/stream.js";
import { busy, eventsHere, hold, nameStream, refresh, release, stopAsking, table, take, whenShown } from "./page.js";

const PATIENCE = 2000; // milliseconds before a lost connection is worth a word
const SILENCE = 11000; // milliseconds after which a connection is dead: the server says something every 4 seconds
const STALLED = 1500; // milliseconds that an answer may take while there is news

let source = null;
let stream = ""; // the server's name for this connection
let worry = null;
let retry = null;
let silence = null;
let latest = 0;
let present = null;
let isBroken = false; // whether the page has said that the connection is lost
let isOld = false; // whether what stands beside the board has changed, on another page of the same person's
let drafted = null; // a turn that is being put together, perhaps on another page of the same person's

export function connect() {
  open();
  // A page that the browser keeps to go back to must not hold its connection.
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("online", open);
  addEventListener("offline", () => {
    close();
    isLost();
  });
  whenShown(showPresent);
  whenShown(() => isBroken && open());
  whenShown((shown) => catchUp(shown));
}

function open() {
  close();
  source = new EventSource(eventsHere());
  source.addEventListener("open", hear);
  source.addEventListener("error", () => {
    worry ??= setTimeout(isLost, PATIENCE);
    // An answer that is no stream ends a source for good.
    if (source.readyState === EventSource.CLOSED) openLater();
  });
  listen("stream", (name) => {
    stream = name;
    nameStream(name);
  });
  listen("beat", () => {});
  listen("table", (news) => {
    latest = news;
    catchUp(table());
  });
  listen("shown", (shown) => {
    latest = shown.news;
    if (!take(shown)) catchUp(table());
  });
  listen("draft", ({ seen }) => {
    drafted = seen;
    catchUp(table());
  });
  listen("aside", () => {
    isOld = true;
    catchUp(table());
  });
  listen("presence", (guests) => {
    present = guests;
    showPresent(table());
  });
  listen("thinking", ({ seat, progress }) => {
    const bar = table().querySelector(`[data-thinking="${seat}"]`);
    if (bar) bar.value = progress;
  });
  listenForSilence();
}

function listen(kind, heard) {
  source.addEventListener(kind, (event) => {
    hear();
    heard(JSON.parse(event.data));
    answer();
  });
}

function close() {
  for (const timer of [worry, retry, silence]) clearTimeout(timer);
  worry = null;
  source?.close();
}

/** There is a connection. */
function hear() {
  clearTimeout(worry);
  worry = null;
  isBroken = false;
  release("lost");
  listenForSilence();
}

function listenForSilence() {
  clearTimeout(silence);
  silence = setTimeout(() => {
    isLost();
    open();
  }, SILENCE);
}

function answer() {
  answerFor(table().dataset.here, stream);
}

/** Nobody knows from here who is there. */
function isLost() {
  isBroken = true;
  hold("lost");
  present = null;
  for (const mark of document.querySelectorAll("[data-presence]")) {
    mark.classList.remove("is-here");
    mark.textContent = "";
  }
}

function openLater() {
  clearTimeout(retry);
  retry = setTimeout(open, PATIENCE);
}

/** Show the table anew if there is news of it, or a step of a turn, that the page doesn't have. */
async function catchUp(shown, since = performance.now()) {
  const draft = drafted;
  if (latest <= Number(shown.dataset.news) && !isOld && (draft === null || draft === seen())) {
    drafted = null;
  } else if (busy()) {
    if (performance.now() > since + STALLED) stopAsking();
    setTimeout(() => catchUp(table(), since), 50);
  } else {
    const was = isOld;
    drafted = null; // looked at once, whatever has become of it meanwhile
    isOld = false;
    if (await refresh()) return;
    isOld ||= was;
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
    mark.title = mark.textContent = isHere ? mark.dataset.here : mark.dataset.away;
  }
  const watchers = shown.querySelector("#watchers");
  watchers.textContent = present.others ? watchers.dataset.some : "";
}
