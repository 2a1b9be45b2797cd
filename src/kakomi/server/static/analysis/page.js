// Asking for parts of the page, and showing them in place of the old ones.
//
// Not by htmx: it would look for each of a board's hundreds of ids in the old page.

const listeners = [];
let isBusy = false;

export const study = () => document.getElementById("study");
export const node = () => document.getElementById("node");
export const address = () => document.getElementById("analysis").dataset.url;
export const busy = () => isBusy;

/** Call `listener()` now and whenever another node, or the same one changed, is shown. */
export function whenShown(listener) {
  listeners.push(listener);
  listener();
}

/** Ask for a part of the page by its id and show it. False if no answer came. */
export async function show(id, url, options = {}) {
  isBusy = true;
  try {
    const answer = await fetch(url, {
      ...options,
      headers: { "HX-Request": "true" },
      credentials: "same-origin",
      signal: AbortSignal.timeout(20000),
    });
    if (!answer.ok && answer.status !== 409 && answer.status !== 422) throw new Error(`status ${answer.status}`);
    replace(id, await answer.text());
    return true;
  } catch {
    say(document.getElementById("analysis").dataset.lost);
    return false;
  } finally {
    isBusy = false;
  }
}

/** Tell people who hear the page. */
export function say(text) {
  document.getElementById("said").textContent = text;
}

function replace(id, html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const after = holder.content.getElementById(id);
  if (!after) throw new Error(`there is no ${id} in the answer`);
  const before = document.getElementById(id);
  const kept = keep(before);
  before.replaceWith(after);
  restore(kept, after);
  say(node().dataset.said);
  history.replaceState(null, "", `${address()}?node=${node().dataset.node}`);
  for (const listener of listeners) listener();
}

function keep(before) {
  const active = document.activeElement;
  return {
    focus: before.contains(active) ? active.id || active.dataset.step || "" : null,
    step: active.dataset?.step,
    open: [...before.querySelectorAll("details[open][id]")].map((element) => element.id),
    scrolled: before.querySelector("#moves")?.scrollTop,
  };
}

function restore(kept, after) {
  for (const id of kept.open) after.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  const moves = after.querySelector("#moves");
  if (moves && kept.scrolled !== undefined) moves.scrollTop = kept.scrolled;
  if (kept.focus === null) return;
  const same = kept.step
    ? after.querySelector(`[data-step="${kept.step}"]`)
    : kept.focus && after.querySelector(`#${CSS.escape(kept.focus)}`);
  (same || after.querySelector(".target[tabindex='0']"))?.focus({ preventScroll: true });
}
