// What differs between two drawings of a board: stones that are new, have changed hands, or are gone.

/** Every stone of a board by its point. */
export function stonesOf(board) {
  return new Map([...board.querySelectorAll("g.stones > .stone")].map((stone) => [stone.dataset.point, stone]));
}

/** Elements `placed`, `flipped` (each after the one before it) and `removed`, `count` in all. */
export function compared(before, after) {
  const placed = [...after].filter(([point]) => !before.has(point)).map(([, stone]) => stone);
  const removed = [...before].filter(([point]) => !after.has(point)).map(([, stone]) => stone);
  const flipped = [...after]
    .map(([point, stone]) => [before.get(point), stone])
    .filter(([old, stone]) => old && old.getAttribute("class") !== stone.getAttribute("class"));
  return { placed, flipped, removed, count: placed.length + flipped.length + removed.length };
}

/** The stone that was put by hand: the one of those placed or turned that is marked as played last. */
export function playedStone(board, { placed, flipped }) {
  const at = new Set([...board.querySelectorAll("g.lasts > use, g.drafts > use")].map(place));
  const candidates = [...placed, ...flipped.map(([, stone]) => stone)];
  return candidates.findLast((stone) => at.has(place(stone))) ?? placed[0] ?? null;
}

const place = (element) => `${element.getAttribute("x")} ${element.getAttribute("y")}`;
