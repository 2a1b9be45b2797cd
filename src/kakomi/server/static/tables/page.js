// The table on the page: requests and news that update it, its messages, and earlier moments of the game.

import { Fragments, etags } from "../boards/fragments.js";
import { listenTo, PATIENCE } from "../news.js";
import { onStepKeys } from "../site.js";

const page = new Fragments("table", keep);

let stream = ""; // the server's name for this page's event stream
let engine = {};

export const table = () => page.element;
export const busy = () => page.busy;
export const whenShown = (listener) => page.whenShown(listener);
/** Abort the current request. */
export const stopAsking = () => page.stop();
/** The status of the last response; 0 if there was none. */
export const status = () => page.status;

const ask = (address, options) => page.ask(address, { ...options, headers: hearing() });
/** The same, but stay at the shown game of a match even if the next one has begun. */
export const askHere = (address, options) => page.ask(address, { ...options, headers: { ...hearing(), ...gameShown() } });
/** Show the table as it is now, or at the moment in the page's URL. */
export const refresh = () => askHere(table().dataset.address + location.search);

/** Say with all following requests whether an engine runs in this browser. */
export function haveEngine(is) {
  engine = is ? { "Kakomi-Engine": "here" } : {};
}

const isElsewhere = () => "past" in table().dataset || location.search !== "";
const steps = () => table().querySelector(".steps");
const hearing = () => ({ ...engine, ...(stream ? { "Kakomi-Stream": stream } : {}) });
const gameShown = () => (steps() ? { "Kakomi-Game": steps().dataset.game } : {});

const LISTS = ".moves, .chat-log"; // their end is in view unless the viewer scrolled back

/** Keep what is being typed, and the positions of the lists. */
function keep(before) {
  const typed = before.querySelector("#komi")?.value;
  const drafts = [...before.querySelectorAll("[data-draft][id]")].filter(({ value }) => value);
  const readBack = new Map([...before.querySelectorAll(LISTS)].filter((list) => !isAtEnd(list)).map((list) => [list.className, list.scrollTop]));
  return (after) => {
    const komi = after.querySelector("#komi");
    if (komi && typed !== undefined) komi.value = typed;
    for (const { id, value, selectionStart, selectionEnd } of drafts) {
      const draft = after.querySelector(`#${CSS.escape(id)}`);
      if (draft && draft.value !== value) {
        draft.value = value;
        draft.setSelectionRange(selectionStart, selectionEnd);
      }
    }
    for (const list of after.querySelectorAll(LISTS)) list.scrollTop = readBack.get(list.className) ?? list.scrollHeight;
  };
}

const isAtEnd = (list) => list.scrollTop + list.clientHeight >= list.scrollHeight - 30;

// The page's message on its connection and on pending commands: a single sentence, the most important that applies.

const ORDER = ["offline", "unanswered", "failed", "dropped", "unplayable", "premoved", "forbidden", "incomplete", "audible", "silent", "sending", "lost"];
const BRIEFLY = 6000; // milliseconds

const line = document.getElementById("connection");
const holding = new Map();
let ending = null;

/** A message applies from now on; `what` is inserted into its sentence. */
export function hold(reason, what = "") {
  holding.set(reason, what);
  showSentence();
}

/** Messages no longer apply. */
export function release(...reasons) {
  for (const reason of reasons) holding.delete(reason);
  showSentence();
}

/** Show a message for a short time. */
export function mention(reason, what = "") {
  clearTimeout(ending);
  ending = setTimeout(() => release(reason), BRIEFLY);
  hold(reason, what);
}

function showSentence() {
  const reason = ORDER.find((name) => holding.has(name));
  const text = reason ? line.dataset[reason].replace("{what}", holding.get(reason)) : "";
  if (line.textContent !== text) line.textContent = text;
  line.hidden = !text;
}

// News of the table, which update the page. A lost connection is shown; each new one begins with the latest news.

const STALLED = 1500; // milliseconds that a request may take while there is news

let latest = 0;
let present = null;
let isBroken = false; // whether the page shows that the connection is lost
let isOld = false; // whether a panel beside the board was changed on another page of the same viewer
let drafted = null; // the viewer's unsent turn, perhaps changed on another page

export function connect() {
  const { open, close } = listenTo(eventsHere, heard, { here: () => table().dataset.here, lost: noteLoss, patience: PATIENCE });
  addEventListener("offline", () => {
    close();
    noteLoss(true);
  });
  whenShown(showPresent);
  whenShown(() => isBroken && open());
  whenShown((shown) => catchUp(shown));
}

const heard = {
  stream: (name) => (stream = name),
  table: (news) => {
    latest = news;
    catchUp(table());
  },
  shown: (shown) => {
    latest = shown.news;
    // Pushed fragments don't fit a page that shows an earlier moment, or lacks others that they are based on.
    if (isElsewhere() || !page.take(shown.html, shown.keeps)) catchUp(table());
  },
  draft: ({ seen }) => {
    drafted = seen;
    catchUp(table());
  },
  aside: () => {
    isOld = true;
    catchUp(table());
  },
  presence: (guests) => {
    present = guests;
    showPresent(table());
  },
  thinking: ({ seat, progress }) => {
    const bar = table().querySelector(`[data-thinking="${seat}"]`);
    if (bar) bar.value = progress;
  },
};

/** The URL of the table's events, with the page's state, so that the server can push the fragments it lacks. */
function eventsHere() {
  const { events, news } = table().dataset;
  const has = isElsewhere() ? "" : etags(table());
  return `${events}?${new URLSearchParams({ news, has, game: steps()?.dataset.game ?? "" })}`;
}

/** Show whether the connection is lost; presence is unknown then. */
function noteLoss(isLost) {
  isBroken = isLost;
  if (!isLost) return release("lost");
  hold("lost");
  present = null;
  for (const mark of document.querySelectorAll("[data-presence]")) {
    mark.classList.remove("is-here");
    mark.textContent = "";
  }
}

/** Refresh the table if the page lacks news, a changed panel, or a step of the unsent turn. */
async function catchUp(shown, since = performance.now()) {
  const draft = drafted;
  if (latest <= Number(shown.dataset.news) && !isOld && (draft === null || draft === seen())) {
    drafted = null;
  } else if (busy()) {
    if (performance.now() > since + STALLED) stopAsking();
    setTimeout(() => catchUp(table(), since), 50);
  } else {
    const was = isOld;
    drafted = null; // the refresh includes it, even if it has changed in the meantime
    isOld = false;
    if (await refresh()) return;
    isOld ||= was;
    drafted ??= draft;
    setTimeout(() => catchUp(table()), PATIENCE);
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

// Earlier moments of the game, reached by the buttons, the list of turns, or keys.

const KEYS = { ArrowLeft: "before", ArrowRight: "after", Home: "first", End: "last" };

let wanted = null;

export const listenToSteps = () => onStepKeys(KEYS, step);

/** Go a step from the moment that the page shows or is fetching. Returns false if there is no such step. */
export function step(where) {
  if (!steps()) return false;
  const [game, ply, length] = ["game", "ply", "length"].map((name) => Number(steps().dataset[name]));
  const from = wanted ? Number(wanted.searchParams.get("ply")) : ply;
  const to = { before: from - 1, after: from + 1, first: 0, last: length }[where];
  if (to < 0 || to > length || to === from) return false;
  goTo(`?game=${game}&ply=${to}`);
  return true;
}

/**
 * Show another moment of the game, and put it into the page's URL unless it is the present. While one is being fetched,
 * only the last request counts.
 */
export async function goTo(address) {
  const isGoing = wanted !== null;
  wanted = new URL(address, location.href);
  if (isGoing) return;
  for (let next = null; next !== wanted; ) {
    next = wanted;
    if (!(await ask(next.href))) break;
    const shown = table().dataset;
    history.replaceState(null, "", "past" in shown ? next.href : shown.address);
  }
  wanted = null;
}

/** Mark the shown turn in the list of turns; a new page begins at the end of the chat. */
export function markMoment(shown, before) {
  if (!before) for (const log of shown.querySelectorAll(".chat-log")) log.scrollTop = log.scrollHeight;
  const moves = shown.querySelector(".moves");
  moves?.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const link = moves?.querySelector(`a[href$="&ply=${steps().dataset.ply}"]`);
  link?.setAttribute("aria-current", "step");
  const item = link?.parentElement ?? moves?.lastElementChild; // the turn, or the latest while the next is unfinished
  if (!item) return;
  moves.scrollLeft = item.offsetLeft - moves.offsetLeft + item.offsetWidth - moves.clientWidth; // one line on a phone
  const [top, bottom] = [moves.scrollTop, moves.scrollTop + moves.clientHeight - item.offsetHeight];
  const at = item.offsetTop - moves.offsetTop;
  if (at < top || at > bottom) moves.scrollTop = at - moves.clientHeight / 2;
}
