// The table as it is shown, and asking for it anew.

import { Fragments, etags } from "../boardview/fragments.js";

const page = new Fragments("table", keep);

let stream = ""; // the server's name for the stream of events that this page hears

export const table = () => page.element;
export const busy = () => page.busy;
export const whenShown = (listener) => page.whenShown(listener);
export const ask = (address, options) => page.ask(address, { ...options, headers: hearing() });
/** The same without leaving the game of a match that is shown: the next one may have begun meanwhile. */
export const askHere = (address, options) => page.ask(address, { ...options, headers: { ...hearing(), ...gameShown() } });
/** Wait no longer for the answer that is on its way. */
export const stopAsking = () => page.stop();
/** The status of the last answer; 0 if none came. */
export const status = () => page.status;

/** Show the table as it is now, or as it was at the moment that the page's address names. */
export const refresh = () => askHere(table().dataset.address + location.search);

/** Show what has come with the news; false if it doesn't fit, as nothing does that looks back. */
export const take = ({ html, keeps }) => !isElsewhere() && page.take(html, keeps);

/** The address of the table's events, for a page as it is: with them comes what it lacks. */
export function eventsHere() {
  const { events, news } = table().dataset;
  const has = isElsewhere() ? "" : etags(table());
  return `${events}?${new URLSearchParams({ news, has, game: steps()?.dataset.game ?? "" })}`;
}

/** From now on requests say which stream of events this page hears. */
export function nameStream(name) {
  stream = name;
}

const isElsewhere = () => "past" in table().dataset || location.search !== "";
const steps = () => table().querySelector(".steps");
const hearing = () => (stream ? { "Kakomi-Stream": stream } : {});
const gameShown = () => (steps() ? { "Kakomi-Game": steps().dataset.game } : {});

/** Say what has changed since the table was shown before, and nothing else, to people who hear the page. */
export function say(shown, before) {
  const now = shown.dataset;
  if (!before || "past" in now || "past" in before) return;
  const words = [newDeed(now, before), now.prompt === before.prompt ? "" : now.prompt].filter(Boolean);
  if (words.length) document.getElementById("said").textContent = words.join(" ");
}

/** The steps of one's own turn are heard one by one, and not again when it is finished; of others whole turns. */
function newDeed(now, before) {
  const [own, known] = [now, before].map((data) => data.own?.split(" ") ?? []); // such as `12.d4`: the 13th action
  if (now.told !== before.told) {
    const fresh = own.filter((step) => !known.includes(step));
    return own.length && !fresh.length ? "" : fresh.length === 1 ? now.step : now.said;
  }
  if (now.own === before.own) return "";
  const [at, was] = [own, known].map((steps) => Number.parseInt(steps.at(-1) ?? "-1"));
  return at < was ? document.getElementById("said").dataset.undone.replace("{what}", before.step) : now.step;
}

/** What is being typed: a komi, and texts for what stands beside the board; and the list of turns, unless it is scrolled back, is seen from its end. */
function keep(before) {
  const typed = before.querySelector("#komi")?.value;
  const drafts = [...before.querySelectorAll("[data-draft][id]")].filter(({ value }) => value);
  const old = before.querySelector(".moves");
  const readBack = old && old.scrollTop + old.clientHeight < old.scrollHeight - 30 ? old.scrollTop : null;
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
    const moves = after.querySelector(".moves");
    if (moves) moves.scrollTop = readBack ?? moves.scrollHeight;
  };
}

// What the page says of its connection and of commands on their way: one sentence, the weightiest that holds.

const ORDER = ["offline", "unanswered", "failed", "dropped", "unplayable", "premoved", "forbidden", "incomplete", "audible", "silent", "sending", "lost"];
const BRIEFLY = 6000; // milliseconds

const line = document.getElementById("connection");
const holding = new Map();
let ending = null;

/** Something holds from now on; `what` it is about stands in its sentence. */
export function hold(reason, what = "") {
  holding.set(reason, what);
  showSentence();
}

/** Something holds no longer. */
export function release(...reasons) {
  for (const reason of reasons) holding.delete(reason);
  showSentence();
}

/** Something that is over when it has been read. */
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

// Earlier moments of the game: by the buttons and the list of turns, by keys wherever the focus is.

const KEYS = { ArrowLeft: "before", ArrowRight: "after", Home: "first", End: "last" };
const OWN_KEYS = "input, #board"; // where they mean something else

let wanted = null;
let since = null; // how many entries there were when somebody began to look back

export function listenToSteps() {
  for (const [key, where] of Object.entries(KEYS)) {
    onKey(key, ({ target, shiftKey }) => !shiftKey && !target.closest(OWN_KEYS) && step(where));
  }
}

/** Go a step on from where the page is, or is about to be; false if there is no such step. */
export function step(where) {
  const steps = table().querySelector(".steps");
  if (!steps) return false;
  const [game, ply, length] = ["game", "ply", "length"].map((name) => Number(steps.dataset[name]));
  const from = wanted ? Number(wanted.searchParams.get("ply")) : ply;
  const to = { before: from - 1, after: from + 1, first: 0, last: length }[where];
  if (to < 0 || to > length || to === from) return false;
  goTo(`?game=${game}&ply=${to}`);
  return true;
}

/**
 * Show another moment of the game, and let the page's address name it unless it is now. While one is being fetched
 * only the last that is wanted counts.
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

/** Say loudly on an earlier moment's page that something new has happened. */
export function sayNews(shown) {
  if (!("past" in shown.dataset)) {
    since = null;
    return;
  }
  const entries = Number(shown.dataset.entries);
  since ??= entries;
  const news = shown.querySelector(".turn .news");
  if (!news || entries <= since) return;
  news.hidden = false;
  const said = document.getElementById("said");
  if (said.textContent !== news.textContent) said.textContent = news.textContent;
}

/** Mark the turn that the board shows in their list. */
export function markMoment(shown) {
  const moves = shown.querySelector(".moves");
  moves?.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const link = moves?.querySelector(`a[href$="&ply=${shown.querySelector(".steps").dataset.ply}"]`);
  if (!link) return;
  link.setAttribute("aria-current", "step");
  const [top, bottom] = [moves.scrollTop, moves.scrollTop + moves.clientHeight - link.offsetHeight];
  const at = link.offsetTop - moves.offsetTop;
  if (at < top || at > bottom) moves.scrollTop = at - moves.clientHeight / 2;
}
