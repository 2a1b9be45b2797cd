// Earlier moments of the game: by the buttons and the list of turns, by keys wherever the focus is.

import { onKey } from "./keys.js";
import { ask, table } from "./swap.js";

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
