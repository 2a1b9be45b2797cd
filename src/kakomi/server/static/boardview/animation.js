// Short motion over a board where it has changed; none for those who prefer that. The board itself is drawn at once, as
// it stands. What moves are copies on a sheet over it, so that the board need not be drawn anew for every frame.

const SVG = "http://www.w3.org/2000/svg";
const STEP = 28; // milliseconds between stones that come one after the other
const LATEST = 400; // milliseconds until the last of them begins
const MOST = 24; // stones that move; the others of a large ring are just there

const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const moving = new Set();

// Who goes on has seen it: the next turn doesn't wait for frames of the one before.
document.addEventListener("pointerdown", stop, true);

/** Let stones come, turn round and go, those that were not put by hand from the one that was outwards. */
export function animate(board, { placed, flipped, removed }, played) {
  if (isStill.matches) return;
  stop();
  for (const stone of placed.slice(0, MOST)) move(board, stone, LANDING, delay(stone, played));
  for (const [old] of flipped.slice(0, MOST)) move(board, old, TURNING, delay(old, played));
  for (const stone of removed.slice(0, MOST)) move(board, stone, GOING, delay(stone, played));
}

/** Let what a stone has scored rise from it. */
export function rise(board, stone, text) {
  if (isStill.matches) return;
  const label = document.createElementNS(SVG, "text");
  label.setAttribute("class", "gain");
  for (const name of ["x", "y"]) label.setAttribute(name, stone.getAttribute(name));
  label.textContent = text;
  move(board, label, RISING, 0);
}

const LANDING = {
  frames: [{ transform: "scale(1.4)", opacity: 0.2 }, { transform: "none", opacity: 0.9 }],
  timing: { duration: 130, easing: "ease-in" },
};
const TURNING = {
  frames: [{ transform: "none" }, { transform: "scaleX(0)" }],
  timing: { duration: 200, easing: "ease-in" },
};
const GOING = {
  frames: [{ transform: "none" }, { transform: "scale(.4)", opacity: 0 }],
  timing: { duration: 240, easing: "ease-in" },
};
const RISING = {
  frames: [
    { transform: "none", opacity: 0 },
    { transform: "translateY(-14px)", opacity: 1, offset: 0.2 },
    { transform: "translateY(-34px)", opacity: 0 },
  ],
  timing: { duration: 1300, easing: "ease-out" },
};

/** Show a copy of an element over the board for as long as it moves: in a group, whose middle is where it is drawn. */
function move(board, element, { frames, timing }, after) {
  const copy = document.createElementNS(SVG, "g");
  copy.append(element.cloneNode(true));
  sheetOver(board).append(copy);
  const motion = copy.animate(frames, { ...timing, delay: after, fill: "both" });
  moving.add(motion);
  motion.onfinish = () => {
    moving.delete(motion);
    const sheet = copy.parentNode;
    copy.remove();
    if (sheet && !sheet.childElementCount) sheet.remove();
  };
}

function stop() {
  for (const motion of moving) motion.finish();
}

function sheetOver(board) {
  const there = board.parentNode.querySelector(".effects");
  if (there) return there;
  const sheet = document.createElementNS(SVG, "svg");
  sheet.setAttribute("class", "effects");
  sheet.setAttribute("aria-hidden", "true");
  sheet.setAttribute("viewBox", board.getAttribute("viewBox"));
  const [inner, outer] = [board.getBoundingClientRect(), board.parentNode.getBoundingClientRect()];
  sheet.style.left = `${inner.left - outer.left}px`;
  sheet.style.top = `${inner.top - outer.top}px`;
  sheet.style.width = `${inner.width}px`;
  sheet.style.height = `${inner.height}px`;
  board.after(sheet);
  return sheet;
}

function delay(stone, played) {
  if (!played || stone === played) return 0;
  const [dx, dy] = ["x", "y"].map((name) => stone.getAttribute(name) - played.getAttribute(name));
  return Math.min((STEP * Math.hypot(dx, dy)) / 40, LATEST); // neighbouring points are 40 apart
}
