// What the engine finds at the node that is shown: lines as a list and as badges on the board, and what is proved.

import { node, whenShown } from "./page.js";

const panel = document.getElementById("engine");
const button = document.getElementById("engine-switch");
const state = document.getElementById("engine-state");
const lines = document.getElementById("lines");
const proof = document.getElementById("proof");
const further = document.getElementById("prove-further");

let isOn = false;
let source = null;
let asked = null;

export function listenToEngine() {
  button.addEventListener("click", () => turn(!isOn));
  further.addEventListener("click", () => look({ far: true }));
  whenShown(() => look());
  addEventListener("pagehide", close);
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : look()));
}

function turn(on) {
  isOn = on;
  button.setAttribute("aria-pressed", String(on));
  if (on) return look();
  close();
  clear();
  drawHints("");
  state.textContent = panel.dataset.off;
}

/** Have the node looked at that is shown now; far: by the solver for as long as a minute. */
function look({ far = false } = {}) {
  if (!isOn || document.hidden) return;
  close();
  asked = node();
  state.textContent = far ? panel.dataset.proving : panel.dataset.on;
  for (const part of [lines, proof]) part.classList.add("is-old");
  further.hidden = true;
  source = new EventSource(`${panel.dataset.url}?node=${asked}${far ? "&proof=far" : ""}`);
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
  if (news.proof !== undefined) {
    proof.classList.remove("is-old");
    proof.innerHTML = news.proof;
  }
  if (news.may_prove_further !== undefined) further.hidden = !news.may_prove_further;
  if (news.lines !== undefined) {
    lines.classList.remove("is-old");
    lines.innerHTML = news.lines;
    drawHints(news.hints);
  } else if (news.reason === "over") {
    clear();
  }
  if (news.state) state.textContent = news.state;
}

function clear() {
  lines.replaceChildren();
  proof.replaceChildren();
  further.hidden = true;
}

/** The badges have a layer of the board, under its buttons, which take the clicks. */
function drawHints(drawn) {
  document.querySelector("#board g.hints").innerHTML = drawn;
}

function close() {
  source?.close();
  source = null;
}
