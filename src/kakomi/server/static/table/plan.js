// A plan: a click while somebody else thinks is kept, shown, and played when it is one's turn, if that is allowed then.

import { mention, release } from "./notices.js";
import { table } from "./swap.js";

const KEPT = "kakomi.plans";

let planned = ""; // the id of a target

export const plansAreOn = () => localStorage.getItem(KEPT) !== "off";

export function switchPlans(on) {
  localStorage.setItem(KEPT, on ? "on" : "off");
  if (!on) forgetPlan();
}

/** Whether a click is one for the turn to come. */
export const mayPlan = () => "waits" in table().dataset && plansAreOn();

/** Keep a target instead of the one before; the same one again is let go. */
export function plan(target) {
  const before = planned;
  forgetPlan();
  if (target.id === before) return;
  planned = target.id;
  mark();
  mention("planned", target.dataset.point ?? target.dataset.cell);
}

/** Let go of it; whether there was one. */
export function forgetPlan() {
  document.getElementById(planned)?.classList.remove("is-planned");
  const was = planned !== "";
  planned = "";
  release("planned");
  return was;
}

/** Call `play(target)` when it is one's turn and the plan is allowed. */
export function followPlan(shown, play) {
  if (!planned || mayPlan()) return mark();
  const target = document.getElementById(planned);
  forgetPlan();
  if (!target || "past" in shown.dataset || !("playing" in shown.dataset)) return;
  if (target.dataset.action) play(target);
  else mention("unplanned", target.dataset.point ?? target.dataset.cell);
}

function mark() {
  if (planned) document.getElementById(planned)?.classList.add("is-planned");
}
