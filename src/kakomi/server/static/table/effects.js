// What a turn did, seen and heard: by what differs between the board before and the board after.

import { animate, rise } from "../boardview/animation.js";
import { compared, playedStone, stonesOf } from "../boardview/changes.js";
import { sound } from "../boardview/sounds.js";

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
