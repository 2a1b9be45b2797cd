// The coach beside the board. The page asks for its advice on a position while it is visible. What it mentions is
// drawn on the board: badges for threats, and the whole turn under the pointer.

import { clearPreview, drawMark } from "../boards/effects.js";
import { table } from "./page.js";

const REST = 250; // the delay before a position is judged, in milliseconds, as bots answer in less
const PARTS = ["chance", "threat", "verdict"];
const PATIENCE = 3000; // milliseconds before another attempt
const MOST_KEPT = 50; // reports

let asked = ""; // identifies the position being judged
let leaving = new AbortController();
let timer = null;
let device = null; // the engine in this browser
const found = new Map(); // what that has found: reports by their keys
let said = {}; // part -> the latest advice on this position: its HTML, and what is drawn with it
let pointed = null;

const panel = () => document.querySelector("[data-coach]");
const place = (part) => panel().querySelector(`[data-part="${part}"]`);
const turnAt = (event) => event.target.closest?.(".coach-turn");

export function listenToCoach() {
  addEventListener("pagehide", close);
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : follow()));
  document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && turnAt(event) && point(turnAt(event)));
  document.addEventListener("pointerout", (event) => turnAt(event) && point(null));
  document.addEventListener("focusin", (event) => turnAt(event) && point(turnAt(event)));
  document.addEventListener("focusout", (event) => turnAt(event) && point(null));
  document.addEventListener("click", (event) => turnAt(event) && point(turnAt(event)));
}

/** Request a judgement of the shown position, unless it is an earlier one or was requested already. */
export function follow() {
  if (!panel() || "past" in table().dataset || document.hidden) return leave();
  const { entries } = table().dataset;
  const now = `${entries} ${document.querySelector('[data-fragment="board"]').dataset.etag}`;
  if (now === asked) return draw();
  leave();
  asked = now;
  for (const report of found.values()) if (report.playouts) report.owner = []; // long, and of no more use
  for (const part of PARTS) place(part).classList.add("is-old");
  timer = setTimeout(open, REST);
}

function leave() {
  close();
  if (asked && !isBotsTurn()) device?.stopHere();
  asked = "";
  said = {};
  pointed = null;
  draw();
}

function close() {
  clearTimeout(timer);
  leaving.abort();
  leaving = new AbortController();
}

/** Whether a bot is thinking in this browser, which then advises nobody. */
const isBotsTurn = () => "decides" in table().dataset && device?.canSearchHere();

/** Show advice, from the engine in this browser if it works, until there is no more. */
async function open() {
  const mine = asked;
  if (document.getElementById("device")) device ??= await import("../engine/device.js").catch(() => null);
  for (let step = 0; mine === asked && !isBotsTurn(); ) {
    const isHere = device?.canSearchHere();
    const next = await advised(isHere ? "" : `?step=${step}`);
    if (mine !== asked) return;
    if (!next && !("chance" in said)) show("chance", { html: panel().dataset.lost });
    for (const [part, words] of Object.entries(next?.advice ?? {})) show(part, words);
    draw();
    if (next?.wanted) {
      const report = await device.foundHere(next.question);
      if (report) found.set(next.wanted, device.reported(report));
      if (found.size > MOST_KEPT) found.delete(found.keys().next().value);
    } else if (next && !("step" in next)) return end(next.state);
    else if (!next || next.step === step) await new Promise((go) => setTimeout(go, PATIENCE));
    step = next?.step ?? step;
  }
}

/** Ask for the advice that follows from what is found, or for the server's; null if there is no answer. */
async function advised(query) {
  const token = document.querySelector("#command [name=csrfmiddlewaretoken]").value;
  const options = { method: "POST", headers: { "X-CSRFToken": token }, credentials: "same-origin", signal: leaving.signal };
  const body = query ? "" : JSON.stringify(Object.fromEntries(found));
  const answer = await fetch(panel().dataset.coach + query, { ...options, body }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

function end(state) {
  for (const part of PARTS) if (!(part in said)) show(part, { html: part === "chance" && state ? state : "" });
}

/** Show a part if it is new; screen readers would read an unchanged one again. */
function show(part, words) {
  const shown = place(part);
  said[part] = words;
  shown.classList.remove("is-old");
  if (shown.dataset.html === words.html) return;
  const hadFocus = shown.contains(document.activeElement);
  shown.dataset.html = words.html;
  shown.innerHTML = words.html;
  if (hadFocus) document.querySelector("#board .target[tabindex='0']").focus({ preventScroll: true });
}

function point(turn) {
  if (turn !== pointed) clearPreview();
  pointed = turn;
  draw();
}

/** Draw the turn under the pointer, or else the threats. */
function draw() {
  if (pointed?.isConnected) drawMark(said[pointed.dataset.shows]);
  else drawMark({ badges: said.threat?.badges });
}
