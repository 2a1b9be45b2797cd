// Short motion of what changes on a board; none for those who prefer that. It takes no room and keeps nobody waiting:
// the board is drawn as it stands before anything moves.

const SVG = "http://www.w3.org/2000/svg";
const STEP = 28; // milliseconds between stones that come one after the other
const LATEST = 400; // milliseconds until the last of them begins

const isStill = matchMedia("(prefers-reduced-motion: reduce)");

/** Let stones come, turn round and go; those that were not put by hand spread from the one that was. */
export function animate(board, { placed, flipped, removed }, played) {
  if (isStill.matches) return;
  placed.forEach((stone) => drop(stone, stone === played ? 0 : delay(stone, played)));
  flipped.forEach(([old, stone]) => flip(board, old, stone, delay(stone, played)));
  removed.forEach((stone) => vanish(board, stone, delay(stone, played)));
}

/** Let what a stone has scored rise from it. */
export function rise(board, stone, text) {
  if (isStill.matches) return;
  const label = document.createElementNS(SVG, "text");
  label.setAttribute("class", "gain");
  label.setAttribute("x", stone.getAttribute("x"));
  label.setAttribute("y", stone.getAttribute("y"));
  label.textContent = text;
  const frames = [
    { transform: "translateY(0)", opacity: 0 },
    { transform: "translateY(-14px)", opacity: 1, offset: 0.2 },
    { transform: "translateY(-34px)", opacity: 0 },
  ];
  passing(board, label, frames, { duration: 1300, easing: "ease-out" });
}

function drop(stone, after) {
  const frames = [{ transform: "scale(.55)", opacity: 0 }, { transform: "scale(1.06)", offset: 0.7 }, { transform: "none" }];
  stone.animate(frames, { duration: 150, delay: after, fill: "backwards", easing: "ease-out" });
}

function flip(board, old, stone, after) {
  const [flat, round] = [{ transform: "scaleX(0)" }, { transform: "none" }];
  passing(board, old, [round, flat], { duration: 110, delay: after, easing: "ease-in" });
  stone.animate([flat, round], { duration: 110, delay: after + 110, fill: "backwards", easing: "ease-out" });
}

function vanish(board, stone, after) {
  const frames = [{ transform: "none" }, { transform: "scale(.4)", opacity: 0 }];
  passing(board, stone, frames, { duration: 240, delay: after, easing: "ease-in" });
}

/** Show an element over the board for as long as it moves. */
function passing(board, element, frames, timing) {
  const layer = board.querySelector(":scope > .effects") ?? newLayer(board);
  layer.append(element);
  element.animate(frames, { fill: "both", ...timing }).finished.finally(() => {
    element.remove();
    if (!layer.childElementCount) layer.remove();
  });
}

function newLayer(board) {
  const layer = document.createElementNS(SVG, "g");
  layer.setAttribute("class", "effects");
  layer.setAttribute("aria-hidden", "true");
  board.append(layer);
  return layer;
}

function delay(stone, played) {
  if (!played || stone === played) return 0;
  const [dx, dy] = ["x", "y"].map((name) => stone.getAttribute(name) - played.getAttribute(name));
  return Math.min((STEP * Math.hypot(dx, dy)) / 40, LATEST); // neighbouring points are 40 apart
}
