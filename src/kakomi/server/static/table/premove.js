// A premove: a click while somebody else thinks is kept, shown, and played when it is one's turn, if that is allowed then.

import { mention, release } from "./saying.js";
import { table } from "./swap.js";

const SWITCH = "kakomi.premoves";
const SWITCH_BEFORE = "kakomi.plans"; // what it was called where somebody has switched it off already

let kept = ""; // the id of a target

export const premovesAreOn = () => (localStorage.getItem(SWITCH) ?? localStorage.getItem(SWITCH_BEFORE)) !== "off";

export function switchPremoves(on) {
  localStorage.setItem(SWITCH, on ? "on" : "off");
  if (!on) forgetPremove();
}

/** Whether a click is one for the turn to come. */
export const mayPremove = () => "waits" in table().dataset && premovesAreOn();

/** Keep a target instead of the one before; the same one again is let go. */
export function premove(target) {
  const before = kept;
  forgetPremove();
  if (target.id === before) return;
  kept = target.id;
  mark();
  mention("premoved", target.dataset.point ?? target.dataset.cell);
}

/** Let go of it; whether there was one. */
export function forgetPremove() {
  document.getElementById(kept)?.classList.remove("is-premoved");
  const was = kept !== "";
  kept = "";
  release("premoved");
  return was;
}

/** Call `play(target)` when it is one's turn and the premove is allowed. */
export function followPremove(shown, play) {
  if (!kept || mayPremove()) return mark();
  const target = document.getElementById(kept);
  forgetPremove();
  if (!target || "past" in shown.dataset || !("playing" in shown.dataset)) return;
  if (target.dataset.action) play(target);
  else mention("unplayable", target.dataset.point ?? target.dataset.cell);
}

function mark() {
  if (kept) document.getElementById(kept)?.classList.add("is-premoved");
}
