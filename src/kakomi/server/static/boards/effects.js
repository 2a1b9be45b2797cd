// The effects of actions on a board: previewed before they are played, animated and heard afterwards.

import { sound } from "../news.js";

const SVG = "http://www.w3.org/2000/svg";

// Previews of the action under the pointer: a ghost of every stone that would be placed, a cross for every stone that
// would be removed, and the same in words. The first preview fetches the effects of all actions at once.

const REST = 90; // the delay before a preview, in milliseconds, so that quick clicks cause none

let address = () => "";
let fetched = null; // the last URL and the promise of its response
let pointed = null;
let timer = null;

/** Preview the targets of a selector; `addressOf()` returns the URL of their effects, or "" if none can be played. */
export function listenForPreviews(selector, addressOf) {
  address = addressOf;
  const at = (event) => event.target.closest?.(selector);
  document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && at(event) && point(at(event)));
  document.addEventListener("pointerout", (event) => at(event) && clearPreview());
  document.addEventListener("focusin", (event) => at(event)?.matches(":focus-visible") && point(at(event)));
  document.addEventListener("focusout", (event) => at(event) && clearPreview());
  document.addEventListener("pointerdown", clearPreview);
}

/** Remove the preview. */
export function clearPreview() {
  clearTimeout(timer);
  pointed?.removeAttribute("aria-description");
  pointed = null;
  document.querySelector(".board .preview")?.remove();
  document.querySelector(".preview-words")?.remove();
}

/** Show the effect of a target's action, and return it in words. */
export async function preview(target) {
  clearPreview();
  pointed = target;
  const action = target.dataset.action;
  const where = action && address();
  if (!where) return "";
  if (fetched?.where !== where) fetched = { where, answer: ask(where) };
  const told = await fetched.answer;
  if (pointed !== target || target.dataset.action !== action || !told) return "";
  const plain = { changes: target.dataset.point ? { [target.dataset.point]: told.player } : {}, words: "" };
  const effect = told.effects[action] ?? plain;
  drawChanges(target.closest("svg"), effect.changes);
  delete target.dataset.for; // the ghost replaces the colour under the pointer
  if (effect.words) target.setAttribute("aria-description", effect.words);
  return effect.words;
}

function point(target) {
  clearPreview();
  pointed = target;
  timer = setTimeout(async () => {
    const words = await preview(target);
    if (words && pointed === target) write(target, words);
  }, REST);
}

async function ask(where) {
  try {
    const answer = await fetch(where, { credentials: "same-origin", priority: "low" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Draw a ghost of each stone that would be placed or change its owner, and a cross on those that would be removed. */
function drawChanges(board, changes) {
  board.querySelector(".preview")?.remove();
  const layer = document.createElementNS(SVG, "g");
  layer.setAttribute("class", "preview");
  layer.setAttribute("aria-hidden", "true");
  for (const [name, player] of Object.entries(changes)) {
    const there = document.getElementById(`${board.id}-point-${name}`);
    const sign = document.createElementNS(SVG, "use");
    sign.setAttribute("href", `#${board.id}-${player === null ? "cross" : `stone-${player}`}`);
    sign.setAttribute("class", player === null ? "going" : "ghost");
    for (const side of ["x", "y"]) sign.setAttribute(side, there.getAttribute(side));
    layer.append(sign);
  }
  board.querySelector("g.hints").before(layer);
}

/** Show words over the page, above the target or else below it; they take up no space and no clicks. */
function write(target, words) {
  const line = document.createElement("p");
  line.className = "preview-words";
  line.textContent = words;
  line.setAttribute("aria-hidden", "true"); // it is the target's description as well
  document.body.append(line);
  const box = target.getBoundingClientRect();
  const left = box.left + box.width / 2 - line.offsetWidth / 2;
  const above = box.top - line.offsetHeight - 6;
  line.style.left = `${Math.max(4, Math.min(left, innerWidth - line.offsetWidth - 4))}px`;
  line.style.top = `${above > 4 ? above : box.bottom + 6}px`;
}

// Turns that a text mentions, drawn on the board: badges, and previews of their changes.

/** Draw a mark instead of the one before: its badges, and its changes if it has any. */
export function drawMark(mark) {
  const board = document.getElementById("board");
  board.querySelector("g.hints").innerHTML = mark?.badges ?? "";
  if (mark?.changes) drawChanges(board, mark.changes);
}

// Animations and sounds for turns, derived from the differences between the board before and after.

const MOST_STEPS = 8; // the most actions to animate at once; more is a jump through the game

let known = null;

/** Animate the changes of an updated table. */
export function showEffects(shown) {
  const before = known;
  known = state(shown);
  if (!before || !goesOn(before, known)) return;
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
    scores: [...shown.querySelectorAll(".player .score")].map((score) => Number(score.dataset.score)),
    isOver: shown.dataset.over !== undefined,
  };
}

function goesOn(before, after) {
  const steps = after.ply - before.ply;
  return before.board === after.board && before.game === after.game && steps >= 0 && steps <= MOST_STEPS;
}

/** Show the gains of scores, except of those that only count stones, which can be seen. */
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

// The differences between two drawings of a board: stones that are new, have changed their owner, or are gone.

/** All stones of a board, by point. */
function stonesOf(board) {
  return new Map([...board.querySelectorAll("g.stones > .stone")].map((stone) => [stone.dataset.point, stone]));
}

/** The elements `placed`, `flipped` (pairs of old and new) and `removed`, and their total `count`. */
function compared(before, after) {
  const placed = [...after].filter(([point]) => !before.has(point)).map(([, stone]) => stone);
  const removed = [...before].filter(([point]) => !after.has(point)).map(([, stone]) => stone);
  const flipped = [...after]
    .map(([point, stone]) => [before.get(point), stone])
    .filter(([old, stone]) => old && old.getAttribute("class") !== stone.getAttribute("class"));
  return { placed, flipped, removed, count: placed.length + flipped.length + removed.length };
}

/** The stone that the player placed: the placed or flipped one that is marked as the last action. */
function playedStone(board, { placed, flipped }) {
  const at = new Set([...board.querySelectorAll("g.lasts > use, g.drafts > use")].map(place));
  const candidates = [...placed, ...flipped.map(([, stone]) => stone)];
  return candidates.findLast((stone) => at.has(place(stone))) ?? placed[0] ?? null;
}

const place = (element) => `${element.getAttribute("x")} ${element.getAttribute("y")}`;

// Short animations over a board where it has changed, unless people prefer reduced motion. The board itself shows the
// result at once. Copies of stones move on a layer above it, so that the board isn't redrawn for every frame.

const STEP = 28; // milliseconds between the starts of successive stones
const LATEST = 400; // the longest delay before a stone starts, in milliseconds
const MOST = 24; // the most stones to animate

const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const moving = new Set();

// Playing on ends the animation of the turn before.
document.addEventListener("pointerdown", stop, true);

/** Animate placed, flipped and removed stones, spreading outwards from the one that was played. */
function animate(board, { placed, flipped, removed }, played) {
  if (isStill.matches) return;
  stop();
  for (const stone of placed.slice(0, MOST)) move(board, stone, LANDING, delay(stone, played));
  for (const [old] of flipped.slice(0, MOST)) move(board, old, TURNING, delay(old, played));
  for (const stone of removed.slice(0, MOST)) move(board, stone, GOING, delay(stone, played));
}

/** Let a stone's gain rise from it. */
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

/** Animate a copy of an element above the board, in a group so that transformations are relative to its centre. */
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
  const box = { left: inner.left - outer.left, top: inner.top - outer.top, width: inner.width, height: inner.height };
  for (const [name, length] of Object.entries(box)) sheet.style[name] = `${length}px`;
  board.after(sheet);
  return sheet;
}

function delay(stone, played) {
  if (!played || stone === played) return 0;
  const [dx, dy] = ["x", "y"].map((name) => stone.getAttribute(name) - played.getAttribute(name));
  return Math.min((STEP * Math.hypot(dx, dy)) / 40, LATEST); // neighbouring points are 40 apart
}
