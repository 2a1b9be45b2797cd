// Clocks go on between news: what the server said, less the time since.

let running = null;

/** Show all clocks of a table, and let the one that runs run. */
export function startClocks(shown) {
  clearInterval(running);
  for (const clock of shown.querySelectorAll("[data-seconds]")) write(clock, Number(clock.dataset.seconds));
  const clock = shown.querySelector("[data-running]");
  if (!clock) return;
  const end = performance.now() + 1000 * Number(clock.dataset.seconds);
  running = setInterval(() => write(clock, (end - performance.now()) / 1000), 100);
}

function write(clock, seconds) {
  const left = Math.max(seconds, 0);
  const text = left < 10 ? left.toFixed(1) : spelled(Math.ceil(left));
  if (clock.textContent !== text) clock.textContent = text;
  clock.classList.toggle("is-short", left < 10);
}

function spelled(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, index) => (index ? String(part).padStart(2, "0") : part)).join(":");
}
