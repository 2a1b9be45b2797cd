// The board of an exported page: copies of the signs that `kakomi.web.scenery` drew at the origin, put to places.

import { put } from "../../server/static/boards/board.js";

const LAYERS = ["areas", "circles", "stones", "lasts", "choices", "marks", "playable", "hints"];

/** Draw an empty board into an element. Returns its places by name: x, y, and whether they are cells. */
export function drawBoard(element, { svg }) {
  element.innerHTML = svg;
  const places = {};
  for (const target of element.querySelectorAll(".target")) {
    const { point, cell } = target.dataset;
    places[point ?? cell] = { x: Number(target.getAttribute("x")), y: Number(target.getAttribute("y")), isCell: cell !== undefined, target };
  }
  return places;
}

/**
 * Draw a position. `stones`, `legal` and `hints` are by name of a place; `marks` lists { kind, at, player, text, strength }.
 * Equal layers are left alone, so that nothing flickers.
 */
export function drawScene(board, { signs, styles, places, players }, scene) {
  const { stones, last, legal, toMove, marks, hints, isDotted } = scene;
  const drawn = Object.fromEntries(LAYERS.map((layer) => [layer, []]));
  const add = (layer, sign, at, text, strength) => drawn[layer].push(put(sign ?? "", at, places[at], text, strength));
  const addMark = (key, at, text, strength) => {
    for (const [layer, sign] of Object.entries(signs.marks[key] ?? {})) if (layer !== "circles" || !written.has(at) || !key.startsWith("area")) add(layer, sign, at, text, strength);
  };
  const written = new Map(); // places with texts -> whose they are
  for (const { kind, at, player } of marks) if (kind === "text") written.set(at, (written.get(at) ?? new Set()).add(player));
  for (const { kind, at, player, text, strength } of marks) {
    const owner = places[at].isCell ? "CELL" : at in stones ? stones[at] % players : "-";
    if (kind !== "text") addMark(`${kind} ${player ?? "-"} ${owner}`, at, "", strength);
    else if (written.get(at).size > 1) addMark(`share${"T".repeat(Math.min(text.length, 2))} ${player}`, at, text);
    else addMark(`text${"T".repeat(Math.max(2, Math.min(text.length, 5)))} ${player ?? "-"} ${owner}`, at, text);
  }
  for (const [at, piece] of Object.entries(stones)) add("stones", signs.stones[piece], at);
  for (const at of new Set(last)) add("lasts", at in stones || places[at].isCell ? signs.last : signs.gone, at);
  const hinted = new Set(hints.map(({ at }) => at));
  for (const at of Object.keys(legal)) {
    if (hinted.has(at)) continue;
    if (places[at].isCell) add("choices", signs.choices[toMove], at);
    else if (isDotted) add("playable", signs.playable[toMove], at);
  }
  for (const { at, label, rank } of [...hints].reverse()) add("hints", signs.hints[Math.min(rank, 1)], at, label);
  for (const layer of LAYERS) {
    const group = board.querySelector(`g.${layer}`);
    const html = drawn[layer].join("");
    if (group.drawn !== html) [group.innerHTML, group.drawn] = [html, html];
  }
  const targets = board.querySelector("g.targets");
  if (toMove === null) delete targets.dataset.for;
  else targets.dataset.for = styles[toMove];
  for (const [at, { target }] of Object.entries(places)) {
    if (at in legal) target.dataset.action = legal[at];
    else delete target.dataset.action;
  }
}
