// The lobby's page: who waits changes while one looks, and one's own game opens when it begins.

import { sound } from "../boardview/sounds.js";
import { KEPT, listenTo } from "./stream.js";

const page = document.getElementById("lobby");
const mine = document.getElementById("lobby-mine");
const list = document.getElementById("seeks");
const lostNote = page.querySelector(".lobby-lost");
const LEAVING = 250; // milliseconds to hear that somebody has come

let isLeaving = false;

const waits = () => "waits" in own().dataset;
const own = () => mine.firstElementChild;

function address() {
  const { events, game, pace } = page.dataset;
  return `${events}?${new URLSearchParams({ game, pace, after: own().dataset.lastGame })}`;
}

function show({ all, put, gone }) {
  if (all) {
    const codes = new Set(put.map(([code]) => `seek-${code}`));
    for (const seek of [...list.children]) if (!codes.has(seek.id)) seek.remove();
  }
  for (const code of gone) document.getElementById(`seek-${code}`)?.remove();
  for (const [code, html] of put) place(document.getElementById(`seek-${code}`), html);
}

/** A seek that is shown already stays where it is, and keeps the focus. */
function place(shown, html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  const seek = template.content.firstElementChild;
  if (!shown) return list.prepend(seek);
  if (shown.isEqualNode(seek)) return;
  const hadFocus = shown.contains(document.activeElement);
  shown.replaceWith(seek);
  if (hadFocus) seek.querySelector("button, a")?.focus();
}

async function look(news) {
  if (news <= Number(own().dataset.news)) return;
  const answer = await fetch(page.dataset.mine);
  if (!answer.ok) return;
  const html = await answer.text();
  if (mine.contains(document.activeElement) && document.activeElement.matches("select")) return; // somebody declines
  mine.innerHTML = html;
  remember();
}

/** Other pages tell of a game that begins only while one waits for one. */
function remember() {
  if (waits()) localStorage.setItem(KEPT, `${Date.now()} ${own().dataset.lastGame}`);
  else localStorage.removeItem(KEPT);
}

function go({ address }) {
  if (isLeaving) return;
  isLeaving = true;
  sound("ended");
  setTimeout(() => location.assign(address), LEAVING);
}

const token = () => page.querySelector("[name=csrfmiddlewaretoken]").value;
const lost = (isLost) => {
  lostNote.hidden = !isLost;
};

remember();
listenTo(address, page.dataset.here, token, { seeks: show, mine: look, game: go }, waits, lost);
