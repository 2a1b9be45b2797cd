// What an action would do, where one points: a ghost of every stone that would be there, a cross where one would
// go, and the same in words. The server tells it of all actions at once, when one points for the first time.

const REST = 90; // milliseconds for which one points before it is shown: whoever clicks at once waits for nothing
const SVG = "http://www.w3.org/2000/svg";

let address = () => "";
let known = null; // the address that was asked, and the answer to come
let pointed = null;
let timer = null;

/** Preview what the targets of a selector do; `addressOf()` says where to ask now, or nothing if none can be played. */
export function listenForPreviews(selector, addressOf) {
  address = addressOf;
  const at = (event) => event.target.closest?.(selector);
  document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && at(event) && point(at(event)));
  document.addEventListener("pointerout", (event) => at(event) && clearPreview());
  document.addEventListener("focusin", (event) => at(event)?.matches(":focus-visible") && point(at(event)));
  document.addEventListener("focusout", (event) => at(event) && clearPreview());
  document.addEventListener("pointerdown", clearPreview);
}

/** Show nothing any more. */
export function clearPreview() {
  clearTimeout(timer);
  pointed?.removeAttribute("aria-description");
  pointed = null;
  document.querySelector(".board .preview")?.remove();
  document.querySelector(".preview-words")?.remove();
}

/** Show what the action of a target does; answers with the words for it. */
export async function preview(target) {
  clearPreview();
  pointed = target;
  const action = target.dataset.action;
  const where = action && address();
  if (!where) return "";
  if (known?.where !== where) known = { where, answer: ask(where) };
  const told = await known.answer;
  if (pointed !== target || target.dataset.action !== action || !told) return "";
  const plain = { changes: target.dataset.point ? { [target.dataset.point]: told.player } : {}, words: "" };
  const effect = told.effects[action] ?? plain;
  drawChanges(target.closest("svg"), effect.changes);
  delete target.dataset.for; // the ghost is there in place of the colour under the pointer
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

/** Draw what stones would come, change their owner or go: a ghost of each, or a cross. */
function drawChanges(board, changes) {
  board.querySelector(".preview")?.remove();
  const layer = document.createElementNS(SVG, "g");
  layer.setAttribute("class", "preview");
  layer.setAttribute("aria-hidden", "true");
  for (const [name, player] of Object.entries(changes)) {
    const place = document.getElementById(`${board.id}-point-${name}`);
    const sign = document.createElementNS(SVG, "use");
    sign.setAttribute("href", `#${board.id}-${player === null ? "cross" : `stone-${player}`}`);
    sign.setAttribute("class", player === null ? "going" : "ghost");
    for (const side of ["x", "y"]) sign.setAttribute(side, place.getAttribute(side));
    layer.append(sign);
  }
  board.querySelector("g.hints").before(layer);
}

/** Words over the page, above what is pointed at or else below it: they take no room and no clicks. */
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

// Turns that somebody speaks of, drawn on the board: a badge, and ghosts of what they would change.

/** Draw a mark in place of the one before: its badges, and its changes where it has some. */
export function drawMark(mark) {
  const board = document.getElementById("board");
  board.querySelector("g.hints").innerHTML = mark?.badges ?? "";
  if (mark?.changes) drawChanges(board, mark.changes);
}
