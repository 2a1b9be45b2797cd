// Clocks run between updates: the server's value minus the time since then.

import { sound } from "../news.js";

const WARNING = 10;
const DAY = 86400;

let running = null;
let hasWarned = false;

/** Show all clocks of a table, and start the running one. */
export function startClocks(shown) {
  clearInterval(running);
  for (const clock of shown.querySelectorAll("[data-seconds]")) write(clock, Number(clock.dataset.seconds));
  shown.querySelectorAll("[data-moment]").forEach(localise);
  const clock = shown.querySelector("[data-running]");
  if (!clock) return;
  const end = performance.now() + 1000 * Number(clock.dataset.seconds);
  running = setInterval(() => write(clock, (end - performance.now()) / 1000), 100);
}

function write(clock, seconds) {
  const left = Math.max(seconds, 0);
  const text = left < 10 ? left.toFixed(1) : spelled(Math.ceil(left));
  if (clock.textContent !== text) clock.textContent = text;
  const isShort = left < WARNING && clock.hasAttribute("data-running");
  clock.classList.toggle("is-short", left < WARNING);
  if (isShort && !hasWarned && clock.hasAttribute("data-own")) sound("flipped", 3);
  if (clock.hasAttribute("data-own")) hasWarned = isShort;
}

/** Show a time in the viewer's time zone. */
function localise(moment) {
  const at = new Date(1000 * Number(moment.dataset.moment));
  moment.dateTime = at.toISOString();
  moment.textContent = at.toLocaleString(document.documentElement.lang, { ...day(at), hour: "2-digit", minute: "2-digit" });
}

/** The format options for the day of a time; none if it is today. */
function day(at) {
  const now = new Date();
  if (at.toDateString() === now.toDateString()) return {};
  if (at > now && at - now < 6 * 1000 * DAY) return { weekday: "long" };
  const year = at.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return { weekday: "short", day: "numeric", month: "short", year };
}

function spelled(seconds) {
  if (seconds >= DAY) return `${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / 3600)} h`;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, index) => (index ? String(part).padStart(2, "0") : part)).join(":");
}
