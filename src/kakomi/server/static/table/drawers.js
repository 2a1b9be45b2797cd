// Drawers beside the board whose content is loaded when they are opened, and again while somebody reads it.

import { whenShown } from "./swap.js";

const EVERY = 5000; // milliseconds

export function listenToDrawers() {
  document.addEventListener("toggle", ({ target }) => target.open && fill(target), true); // it doesn't bubble
  setInterval(() => !document.hidden && fillDrawers(), EVERY);
  whenShown(fillDrawers);
}

/** Load what open drawers hold. */
function fillDrawers() {
  for (const drawer of document.querySelectorAll("details[data-loads][open]")) fill(drawer);
}

async function fill(drawer) {
  const place = drawer.querySelector("[data-loaded]");
  if (!place) return;
  const options = { headers: { "HX-Request": "true" }, credentials: "same-origin" };
  const answer = await fetch(drawer.dataset.loads, options).catch(() => null);
  if (!answer?.ok) return;
  const text = await answer.text();
  if (place.innerHTML !== text) place.innerHTML = text;
}
