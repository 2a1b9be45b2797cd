// The table as it is shown, and asking for it anew.

import { Fragments } from "../boardview/fragments.js";

const page = new Fragments("table", keep);

export const table = () => page.element;
export const busy = () => page.busy;
export const whenShown = (listener) => page.whenShown(listener);
export const ask = (address, options) => page.ask(address, options);
/** The same without leaving the game of a match that is shown: the next one may have begun meanwhile. */
export const askHere = (address, options) => page.ask(address, { ...options, headers: gameShown() });
/** Wait no longer for the answer that is on its way. */
export const stopAsking = () => page.stop();
/** The status of the last answer; 0 if none came. */
export const status = () => page.status;

/** Show the table as it is now, or as it was at the moment that the page's address names. */
export const refresh = () => askHere(table().dataset.address + location.search);

function gameShown() {
  const steps = table().querySelector(".steps");
  return steps ? { "Kakomi-Game": steps.dataset.game } : {};
}

/** Say what has changed since the table was shown before to people who hear the page. */
export function say(shown, before) {
  const text = shown.dataset.said.trim();
  if (text && before && before.said.trim() !== text) document.getElementById("said").textContent = text;
}

/** A komi that is being typed; and the list of turns, unless it is scrolled back, is seen from its end. */
function keep(before) {
  const typed = before.querySelector("#komi")?.value;
  const old = before.querySelector(".moves");
  const readBack = old && old.scrollTop + old.clientHeight < old.scrollHeight - 30 ? old.scrollTop : null;
  return (after) => {
    const komi = after.querySelector("#komi");
    if (komi && typed !== undefined) komi.value = typed;
    const moves = after.querySelector(".moves");
    if (moves) moves.scrollTop = readBack ?? moves.scrollHeight;
  };
}
