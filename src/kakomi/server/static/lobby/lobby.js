// The lobby's page: it updates the list of seeks, and opens the viewer's game when it begins.

import { listenTo, sound } from "../news.js";
import { WAITING } from "../site.js";

const page = document.getElementById("lobby");
const mine = document.getElementById("lobby-mine");
const list = document.getElementById("seeks");
const lostNote = page.querySelector(".lobby-lost");
const LEAVING = 250; // milliseconds for the sound before the game opens

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

/** Show a seek; one that is shown already keeps its place and the focus. */
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
  if (mine.contains(document.activeElement) && document.activeElement.matches("select")) return; // in use
  mine.innerHTML = html;
  remember();
}

/** Store whether the viewer is waiting, as other pages listen for a game only then. */
function remember() {
  if (waits()) localStorage.setItem(WAITING, `${Date.now()} ${own().dataset.lastGame}`);
  else localStorage.removeItem(WAITING);
}

function go({ address }) {
  if (isLeaving) return;
  isLeaving = true;
  sound("ended");
  setTimeout(() => location.assign(address), LEAVING);
}

remember();
listenTo(address, { seeks: show, mine: look, game: go }, {
  here: () => (waits() ? page.dataset.here : ""),
  lost: (isLost) => (lostNote.hidden = !isLost),
});
