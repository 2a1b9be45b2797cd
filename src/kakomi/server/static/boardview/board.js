// Boards on pages: a table's, an analysis', those of the rules. What a click or a key does there is the page's own.

const WAYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
const NEXT = "l"; // the key that leads to the next point where one can play
const FINGER = 40; // pixels

/**
 * Listen to the points and cells that a selector finds. `clicked(target, event)` is called for clicks and taps,
 * `pressed(key, target)` for keys but the arrows, and says whether the key means something.
 */
export function listenToTargets(selector, { clicked, pressed }) {
  const at = (event) => event.target.closest?.(selector);
  document.addEventListener("click", (event) => {
    const target = at(event);
    if (target) clicked(target, event);
  });
  document.addEventListener("keydown", (event) => {
    const target = at(event);
    if (!target || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in WAYS) walk(target, WAYS[event.key]);
    else if (event.key.toLowerCase() === NEXT) walkToLegal(target, event.shiftKey ? -1 : 1);
    else if (!pressed(event.key, target)) return;
    event.preventDefault();
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.(selector)) rove(event.target);
  });
}

/** The page's script has started: nothing is needed that stands there for pages without scripts. */
export function started() {
  for (const field of document.querySelectorAll(".without-scripts")) field.remove();
}

/** Whether a tap should only choose: points are narrower than a finger there, and another one plays. */
export function needsSecondTap(target, event) {
  const isFinger = event.pointerType && event.pointerType !== "mouse";
  return Boolean(isFinger) && target.getBoundingClientRect().width < FINGER;
}

/** Clicks that `enter` a target at once, or at a second tap; `forget` what the first one marked on an older board. */
export function tapper(enter) {
  let chosen = null;
  const clicked = (target, event) => {
    if (!needsSecondTap(target, event) || chosen === target) return enter(target);
    chosen?.classList.remove("is-chosen");
    chosen = target;
    target.classList.add("is-chosen");
  };
  return { clicked, forget: () => (chosen = null) };
}

/** Let one target of a board be in the order of Tab, and no other. */
export function rove(target) {
  for (const other of target.closest("svg").querySelectorAll(".target[tabindex='0']")) other.setAttribute("tabindex", "-1");
  target.setAttribute("tabindex", "0");
}

function walk(target, way) {
  document.getElementById(`${target.closest("svg").id}-${target.dataset[way]}`)?.focus();
}

/** Go to the next target where something can be played, or to the one before, from the last to the first. */
function walkToLegal(target, step) {
  const all = [...target.closest("svg").querySelectorAll(".target")];
  const here = all.indexOf(target);
  const others = all.map((_, index) => all.at((here + step * (index + 1)) % all.length));
  others.find((other) => other.dataset.action)?.focus();
}

// The point under the pointer takes on the colour of whom its layer waits for. Not by a style that asks what the
// layer is like: with every turn all points of the board would be styled anew.

document.addEventListener("pointerover", ({ target }) => {
  const layer = target.closest?.(".target")?.parentNode;
  if (layer && "for" in layer.dataset) target.dataset.for = layer.dataset.for;
});

document.addEventListener("pointerout", ({ target }) => {
  if (target.matches?.(".target")) delete target.dataset.for;
});
