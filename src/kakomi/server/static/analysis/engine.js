// The engine's lines for the node that is shown: as a list, and as badges on the board.

import { node, whenShown } from "./page.js";

const panel = document.getElementById("engine");
const button = document.getElementById("engine-switch");
const state = document.getElementById("engine-state");
const lines = document.getElementById("lines");

let isOn = false;
let source = null;
let asked = null;

export function listenToEngine() {
  button.addEventListener("click", () => turn(!isOn));
  whenShown(look);
  addEventListener("pagehide", close);
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : look()));
}

function turn(on) {
  isOn = on;
  button.setAttribute("aria-pressed", String(on));
  if (on) return look();
  close();
  lines.replaceChildren();
  drawHints("");
  state.textContent = panel.dataset.off;
}

/** Have the node looked at that is shown now. */
function look() {
  if (!isOn || document.hidden) return;
  close();
  asked = node();
  state.textContent = panel.dataset.on;
  lines.classList.add("is-old");
  source = new EventSource(`${panel.dataset.url}?node=${asked}`);
  source.addEventListener("found", (event) => found(JSON.parse(event.data)));
  source.addEventListener("end", (event) => {
    found(JSON.parse(event.data));
    close();
  });
  source.addEventListener("error", () => {
    state.textContent = panel.dataset.lost;
    if (source?.readyState === EventSource.CLOSED) turn(false);
  });
}

function found(news) {
  if (news.lines !== undefined) {
    lines.classList.remove("is-old");
    lines.innerHTML = news.lines;
    drawHints(news.hints);
  } else if (news.reason === "over") {
    lines.replaceChildren();
  }
  if (news.state) state.textContent = news.state;
}

/** The badges have a layer of the board, under its buttons, which take the clicks. */
function drawHints(drawn) {
  document.querySelector("#board g.hints").innerHTML = drawn;
}

function close() {
  source?.close();
  source = null;
}
