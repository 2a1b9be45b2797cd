// The engine's results for the shown node: lines as a list and as badges on the board, and proofs.

import { canSearchHere, endHere, searchHere, stopHere } from "../engine/device.js";
import { findings } from "./findings.js";
import { node, study, whenShown } from "./study.js";

const panel = document.getElementById("engine");
const button = document.getElementById("engine-switch");
const owners = document.getElementById("owners-switch");
const state = document.getElementById("engine-state");
const lines = document.getElementById("lines");
const proof = document.getElementById("proof");
const further = document.getElementById("prove-further");

const SVG = "http://www.w3.org/2000/svg";
const INTERVAL = 400; // milliseconds between findings, so that buttons in them can be clicked

let isOn = false;
let showsOwners = false;
let source = null;
let asked = null;

export function listenToEngine() {
  button.disabled = false;
  button.addEventListener("click", () => turn(!isOn));
  offerOwners();
  owners.addEventListener("click", () => {
    showsOwners = !showsOwners;
    owners.setAttribute("aria-pressed", String(showsOwners));
    if (showsOwners && !isOn) turn(true);
    else look();
  });
  further.addEventListener("click", () => look({ far: true }));
  whenShown(() => look());
  addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : look()));
}

function turn(on) {
  isOn = on;
  button.setAttribute("aria-pressed", String(on));
  if (on) return look();
  leave();
  clear();
  drawHints("");
  state.textContent = panel.dataset.off;
}

/** Offer likely owners as long as this browser's engine works: the server's doesn't estimate them. */
function offerOwners() {
  owners.hidden = owners.disabled = !canSearchHere();
}

/** Analyse the shown node, in this browser if it can; with `far`, let the server's solver work for up to a minute. */
function look({ far = false } = {}) {
  if (!isOn || document.hidden) return;
  close();
  offerOwners();
  asked = node();
  state.textContent = far ? panel.dataset.proving : panel.dataset.on;
  for (const part of [lines, proof]) part.classList.add("is-old");
  further.hidden = true;
  const { question } = study().dataset;
  if (!far && question && canSearchHere()) return searchHere({ ...JSON.parse(question), owners: showsOwners }, { tell: inTime(), fail: () => look() });
  further.textContent = panel.dataset.further;
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

/** A function that shows reports of a search here, but not too often. */
function inTime() {
  let told = -INTERVAL;
  return (report, program) => {
    if (!report.isDone && performance.now() - told < INTERVAL) return;
    told = performance.now();
    found(findings(report, program));
  };
}

function found(news) {
  if (news.proof !== undefined) {
    proof.classList.remove("is-old");
    proof.innerHTML = news.proof;
  }
  if (news.solve) further.textContent = news.solve;
  if (news.may_prove_further !== undefined) further.hidden = !news.may_prove_further;
  if (news.lines !== undefined) {
    lines.classList.remove("is-old");
    lines.innerHTML = news.lines;
    drawHints(news.hints, news.owners);
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

/** Draw the badges and likely owners in layers of their own, below the buttons, which receive the clicks. */
function drawHints(drawn, { areas, marks } = { areas: "", marks: "" }) {
  document.querySelector("#board g.hints").innerHTML = marks + drawn;
  const shades = document.querySelector("#board g.areas + g.owners") ?? document.createElementNS(SVG, "g");
  shades.setAttribute("class", "owners");
  shades.innerHTML = areas;
  document.querySelector("#board g.areas").after(shades);
}

function leave() {
  close();
  endHere();
}

function close() {
  stopHere();
  source?.close();
  source = null;
}
