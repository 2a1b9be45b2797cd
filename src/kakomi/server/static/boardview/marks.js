// Turns that somebody speaks of, drawn on the board: a badge, and ghosts of what they would change.

import { drawChanges } from "./preview.js";

/** Draw a mark in place of the one before: its badges, and its changes where it has some. */
export function drawMark(mark) {
  const board = document.getElementById("board");
  board.querySelector("g.hints").innerHTML = mark?.badges ?? "";
  if (mark?.changes) drawChanges(board, mark.changes);
}
