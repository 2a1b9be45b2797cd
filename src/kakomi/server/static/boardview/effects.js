// What a turn did, seen and heard: by what differs between the board before and the board after.

import { sound } from "./sounds.js";

const MOST_STEPS = 8; // actions at once; more is a jump through the game, in which nothing moves

let known = null;

/** Compare a table that is shown anew with what it showed before. */
export function showEffects(shown) {
  const before = known;
  known = state(shown);
  if (!before || !known || !goesOn(before, known)) return;
  const changes = compared(before.stones, known.stones);
  if (known.isOver && !before.isOver) sound("ended");
  if (!changes.count) return;
  const board = shown.querySelector("#board");
  const played = playedStone(board, changes);
  for (const kind of ["placed", "flipped", "removed"]) sound(kind, changes[kind].length);
  animate(board, changes, played);
  if (played) showGains(board, played, before, known);
}

function state(shown) {
  const board = shown.querySelector("#board");
  const steps = shown.querySelector(".steps");
  return {
    board: board.closest("[data-etag]").dataset.etag,
    game: steps?.dataset.game ?? "1",
    ply: Number(steps?.dataset.ply ?? 0),
    stones: stonesOf(board),
    scores: [...shown.querySelectorAll(".player .score")].map((score) => Number(score.lastChild.textContent)),
    isOver: shown.dataset.over !== undefined,
  };
}

function goesOn(before, after) {
  const steps = after.ply - before.ply;
  return before.board === after.board && before.game === after.game && steps >= 0 && steps <= MOST_STEPS;
}

/** What a player's score has risen by, unless it only counts their stones: those can be seen. */
function showGains(board, played, before, after) {
  const counts = [before, after].map(({ stones }) => countByPlayer(stones));
  after.scores.forEach((score, seat) => {
    const gain = score - before.scores[seat];
    if (!Number.isInteger(gain) || gain <= 0 || after.ply === before.ply) return;
    const countsStones = Object.keys(counts[1]).some(
      (player) => counts[1][player] === score && (counts[0][player] ?? 0) === before.scores[seat],
    );
    if (!countsStones) rise(board, played, `+${gain}`);
  });
}

function countByPlayer(stones) {
  const counts = {};
  for (const stone of stones.values()) counts[stone.classList[1]] = (counts[stone.classList[1]] ?? 0) + 1;
  return counts;
}

// What differs between two drawings of a board: stones that are new, have changed hands, or are gone.

/** Every stone of a board by its point. */
function stonesOf(board) {
  return new Map([...board.querySelectorAll("g.stones > .stone")].map((stone) => [stone.dataset.point, stone]));
}

/** Elements `placed`, `flipped` (each after the one before it) and `removed`, `count` in all. */
function compared(before, after) {
  const placed = [...after].filter(([point]) => !before.has(point)).map(([, stone]) => stone);
  const removed = [...before].filter(([point]) => !after.has(point)).map(([, stone]) => stone);
  const flipped = [...after]
    .map(([point, stone]) => [before.get(point), stone])
    .filter(([old, stone]) => old && old.getAttribute("class") !== stone.getAttribute("class"));
  return { placed, flipped, removed, count: placed.length + flipped.length + removed.length };
}

/** The stone that was put by hand: the one of those placed or turned that is marked as played last. */
function playedStone(board, { placed, flipped }) {
  const at = new Set([...board.querySelectorAll("g.lasts > use, g.drafts > use")].map(place));
  const candidates = [...placed, ...flipped.map(([, stone]) => stone)];
  return candidates.findLast((stone) => at.has(place(stone))) ?? placed[0] ?? null;
}

const place = (element) => `${element.getAttribute("x")} ${element.getAttribute("y")}`;

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
function animate(board, { placed, flipped, removed }, played) {
  if (isStill.matches) return;
  stop();
  for (const stone of placed.slice(0, MOST)) move(board, stone, LANDING, delay(stone, played));
  for (const [old] of flipped.slice(0, MOST)) move(board, old, TURNING, delay(old, played));
  for (const stone of removed.slice(0, MOST)) move(board, stone, GOING, delay(stone, played));
}

/** Let what a stone has scored rise from it. */
function rise(board, stone, text) {
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
