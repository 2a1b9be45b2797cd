// Showing the table anew, keeping what its viewer is about: focus, scrolling, what is unfolded or typed.
//
// Not by htmx: it would look for each of a board's hundreds of ids in the old page.

import { etags, update } from "../boardview/fragments.js";

const listeners = [];
let isBusy = false;

export const table = () => document.getElementById("table");
export const busy = () => isBusy;

/** Call `listener(table, before)` now and whenever the table is shown anew; `before` is the data that it had. */
export function whenShown(listener) {
  listeners.push(listener);
  listener(table(), null);
}

/** Ask for the table, or do something there, and show the answer. False if none came. */
export async function ask(address, options = {}) {
  if (isBusy) return false;
  isBusy = true;
  table().setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, {
      ...options,
      headers: { "HX-Request": "true", "Kakomi-Etags": etags(table()) },
      credentials: "same-origin",
      signal: AbortSignal.timeout(15000),
    });
    const elsewhere = answer.headers.get("HX-Redirect");
    if (elsewhere) {
      location.assign(elsewhere);
      return true;
    }
    if (!answer.ok && ![409, 422, 507].includes(answer.status)) throw new Error(`status ${answer.status}`);
    show(await answer.text());
    return true;
  } catch {
    return false;
  } finally {
    isBusy = false;
    table().removeAttribute("aria-busy");
  }
}

/** Show the table as it is now, or as it was at the moment that the page's address names. */
export const refresh = () => ask(table().dataset.address + location.search);

function show(html) {
  const shown = table();
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const answer = holder.content.getElementById("table");
  if (!answer) throw new Error("that was no table");
  const [before, kept] = [{ ...shown.dataset }, keep(shown)];
  try {
    update(shown, answer);
  } catch {
    return location.reload(); // an answer for another page than this: the site was renewed meanwhile
  }
  restore(kept, shown);
  for (const listener of listeners) listener(shown, before);
}

function keep(before) {
  const moves = before.querySelector(".moves");
  return {
    focus: before.contains(document.activeElement) ? document.activeElement : null,
    open: [...before.querySelectorAll("details[open]")].map((element) => element.id),
    typed: before.querySelector("#komi")?.value,
    top: window.scrollY,
    readBack: moves && moves.scrollTop + moves.clientHeight < moves.scrollHeight - 30 ? moves.scrollTop : null,
  };
}

function restore(kept, after) {
  for (const id of kept.open) after.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  const komi = after.querySelector("#komi");
  if (komi && kept.typed !== undefined) komi.value = kept.typed;
  const moves = after.querySelector(".moves");
  if (moves) moves.scrollTop = kept.readBack ?? moves.scrollHeight;
  if (kept.focus && document.activeElement !== kept.focus) focusOn(after, kept.focus.id || "board");
  window.scrollTo({ top: kept.top, behavior: "instant" });
}

/** What had the focus, or the board if that is gone. */
function focusOn(after, id) {
  const same = after.querySelector(`#${CSS.escape(id)}`);
  const there = same ?? after.querySelector(".target[tabindex='0']");
  there?.focus({ preventScroll: true });
}
