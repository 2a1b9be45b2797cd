// Boards on pages: of a table, an analysis, the rules. Each page decides what clicks and keys do there.

const WAYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
const NEXT = "l"; // the key that moves the focus to the next legal point
const FINGER = 40; // pixels
const PLACED = /x="(-?[\d.]+)" y="(-?[\d.]+)"/g;

/**
 * Listen to the points and cells that match a selector. `clicked(target, event)` is called for clicks and taps,
 * `pressed(key, target)` for keys other than the arrows; it returns whether it has handled the key.
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

/**
 * A sign that `kakomi.web.scenery` drew at the origin, at a place, with the place's name and a text filled in, and paler if
 * its `strength` is below 1.
 */
export function put(sign, name, { x, y }, text = "", strength = 1) {
  const moved = sign.replace(PLACED, (_, left, top) => `x="${tenths(Number(left) + x)}" y="${tenths(Number(top) + y)}"`);
  const isPath = sign.startsWith("<path");
  const whole = isPath ? `<g transform="translate(${x} ${y})">${sign}</g>` : moved;
  const pale = strength < 1 ? whole.replace(/(fill-opacity=")([\d.]+)/, (_, start, full) => start + (full * strength).toFixed(2)) : whole;
  return pale.replace(/POINT/g, name).replace(/TEXT?/g, text.replace("<", "&lt;"));
}

const tenths = (length) => Math.round(10 * length) / 10;

/** The page's script has started: remove the fallbacks for pages without scripts. */
export function started() {
  for (const field of document.querySelectorAll(".without-scripts")) field.remove();
}

/** Whether a tap should only select, and a second one play, as the points are narrower than a finger. */
export function needsSecondTap(target, event) {
  const isFinger = event.pointerType && event.pointerType !== "mouse";
  return Boolean(isFinger) && target.getBoundingClientRect().width < FINGER;
}

/** A click handler that calls `enter` at once or at a second tap; `forget` clears the selection for a new board. */
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

/** Make a target the only one of its board that Tab reaches. */
export function rove(target) {
  for (const other of target.closest("svg").querySelectorAll(".target[tabindex='0']")) other.setAttribute("tabindex", "-1");
  target.setAttribute("tabindex", "0");
}

function walk(target, way) {
  document.getElementById(`${target.closest("svg").id}-${target.dataset[way]}`)?.focus();
}

/** Move the focus to the next or previous legal target, wrapping around. */
function walkToLegal(target, step) {
  const all = [...target.closest("svg").querySelectorAll(".target")];
  const here = all.indexOf(target);
  const others = all.map((_, index) => all.at((here + step * (index + 1)) % all.length));
  others.find((other) => other.dataset.action)?.focus();
}

// The point under the pointer gets the colour of the player to act, which is set on its layer. A selector that depends
// on the layer would be slow: the browser would restyle all points of the board with every turn.

document.addEventListener("pointerover", ({ target }) => {
  const layer = target.closest?.(".target")?.parentNode;
  if (layer && "for" in layer.dataset) target.dataset.for = layer.dataset.for;
});

document.addEventListener("pointerout", ({ target }) => {
  if (target.matches?.(".target")) delete target.dataset.for;
});
