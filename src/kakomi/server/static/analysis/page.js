// The study as it is shown, and asking for it anew.

import { Fragments } from "../boardview/fragments.js";

const page = new Fragments("study", keep);

export const study = () => page.element;
export const busy = () => page.busy;
export const node = () => study().dataset.node;
export const address = () => study().dataset.address;
export const whenShown = (listener) => page.whenShown(listener);

/** Ask for the study, or change it, and show the answer. False if none came. */
export async function ask(where, options) {
  if (busy()) return false;
  const came = await page.ask(where, options);
  if (!came) say(document.getElementById("analysis").dataset.lost);
  return came;
}

/** Let the page's address name the node that is shown, and tell people who hear the page. */
export function follow(shown, before) {
  if (!before) return;
  history.replaceState(null, "", `${address()}?node=${node()}`);
  say(shown.dataset.said);
}

function say(text) {
  document.getElementById("said").textContent = text;
}

/** The list of moves stays where it is scrolled to. */
function keep(before) {
  const top = before.querySelector("#moves").scrollTop;
  return (after) => {
    after.querySelector("#moves").scrollTop = top;
  };
}
