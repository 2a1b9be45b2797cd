// On all other pages, while somebody waits for an opponent: their seek stays open, and they are told when one comes.
// On all pages, while somebody plays in a live tournament: they are told when their game begins. One page of a browser
// listens for all, as a browser keeps only few connections to a site; the others hear of it by what is kept.

import { sound } from "../boardview/sounds.js";
import { KEPT, listenTo } from "./stream.js";

const LONGEST = 20 * 60 * 1000; // milliseconds; no live seek waits for so long
const CALL = "kakomi.call";
const note = document.getElementById("come");
const { title } = document;
const [since, after] = (localStorage.getItem(KEPT) ?? "0 0").split(" ");

let shown = "";

/** A game of one's own has begun elsewhere: the page's banner and title say so, and there is a sound. */
function show({ address, said, until }) {
  if (location.pathname === address || shown === address) return;
  shown = address;
  if (said) note.querySelector("strong").textContent = said;
  const actBy = note.querySelector("[data-act-by]");
  const options = { hour: "2-digit", minute: "2-digit" };
  const time = new Date(until ?? 0).toLocaleTimeString(document.documentElement.lang, options);
  actBy.textContent = until ? actBy.dataset.actBy.replace("{time}", time) : "";
  note.querySelector("a").href = address;
  note.hidden = false;
  document.title = `● ${note.querySelector("strong").textContent}`;
  sound("ended");
}

/** The game that a tournament calls to, as any page of the browser has heard; null once there is none. */
function showCall(kept) {
  const call = JSON.parse(kept);
  if (call) return show(call);
  if (shown) document.title = title;
  shown = "";
  note.hidden = true;
}

function hearCall(call) {
  const until = call?.left && Date.now() + 1000 * call.left;
  const kept = JSON.stringify(call && location.pathname !== call.address ? { ...call, until } : null);
  localStorage.setItem(CALL, kept);
  showCall(kept);
}

function listen() {
  listenTo(() => note.dataset.calls, "", () => "", { call: hearCall }, () => false);
  return new Promise(() => {}); // as long as the page is there
}

if (note && !document.getElementById("lobby") && Number(since) > Date.now() - LONGEST) {
  const { events, here } = note.dataset;
  const token = () => note.querySelector("[name=csrfmiddlewaretoken]").value;
  const address = () => `${events}?${new URLSearchParams({ mine: "", after })}`;
  const game = ({ address }) => {
    localStorage.removeItem(KEPT);
    show({ address });
  };
  listenTo(address, here, token, { game }, () => true);
}

if (note) {
  const kept = localStorage.getItem(CALL) ?? "null";
  const isAnswered = JSON.parse(kept)?.address === location.pathname;
  if (!note.dataset.calls || isAnswered) localStorage.setItem(CALL, "null");
  else showCall(kept);
  addEventListener("storage", ({ key, newValue }) => key === CALL && showCall(newValue));
  if (note.dataset.calls) {
    if (navigator.locks) navigator.locks.request(CALL, listen);
    else listen();
  }
}
