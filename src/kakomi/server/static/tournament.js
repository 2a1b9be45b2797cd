// A tournament's page follows what happens: its part that changes is asked for anew, and one's own game is announced.
// There and in the list of tournaments moments are the viewer's own, and what is near is counted down to.

import { sound } from "./boardview/sounds.js";
import { listenTo } from "./lobby/stream.js";
import { startClocks } from "./table/clocks.js";

const page = document.getElementById("tournament");
const live = document.getElementById("tournament-live");
const said = document.getElementById("tournament-said");
const lostNote = page?.querySelector(".tournament-lost");
const isCalled = "calls" in (document.getElementById("come")?.dataset ?? {}); // then every page announces it
const WRITES = "input, select, textarea";
const GATHER = 400; // milliseconds: several things that happen together are shown together
const SPREAD = 600; // and not everybody asks at the same moment

let shown = Number(page?.dataset.news);
let wanted = shown;
let timer = null;

function hear(news) {
  if (news <= wanted) return;
  wanted = news;
  timer ??= setTimeout(look, GATHER + Math.random() * SPREAD);
}

/** Somebody who writes is not disturbed: the page is renewed once they have left the field. */
const writes = () => live.contains(document.activeElement) && document.activeElement.matches(WRITES);

async function look() {
  timer = null;
  if (writes() || wanted <= shown) return;
  const number = wanted;
  try {
    const answer = await fetch(page.dataset.address);
    if (!answer.ok) return;
    const html = await answer.text();
    if (writes()) return;
    shown = number;
    show(html);
  } catch {
    // the connection is gone, and the next news come with the next one
  }
}

function show(html) {
  const former = games();
  const open = [...live.querySelectorAll("details[open][id]")].map(({ id }) => id);
  const focused = live.contains(document.activeElement) ? path(document.activeElement) : null;
  const typed = [...live.querySelectorAll("input[type=text][id], select[id]")].filter(isChanged);
  live.innerHTML = html;
  startClocks(live);
  for (const { id, value } of typed) restore(document.getElementById(id), value);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) live.querySelector(focused)?.focus({ preventScroll: true });
  const begun = games().find(({ dataset }) => !former.some((game) => game.dataset.ownGame === dataset.ownGame));
  if (begun && !isCalled) {
    said.textContent = begun.dataset.said;
    sound("ended");
  }
}

/** Whether somebody has written or chosen something, which stays when the page is renewed. */
const isChanged = (field) =>
  field.options ? [...field.options].some((each) => each.selected !== each.defaultSelected) : field.value !== field.defaultValue;

function restore(field, value) {
  if (field?.options ? [...field.options].some((each) => each.value === value) : field) field.value = value;
}

const games = () => [...live.querySelectorAll("[data-own-game]")];

/** A way to the same link or button in the renewed page. */
function path(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.matches("a[href]")) return `a[href="${CSS.escape(element.getAttribute("href"))}"]`;
  const form = element.closest("form[action]");
  return form ? `form[action="${CSS.escape(form.getAttribute("action"))}"] button` : null;
}

startClocks(document);
if (page?.dataset.events) {
  const lost = (isLost) => {
    lostNote.hidden = !isLost;
  };
  const waits = () => false;
  listenTo(() => page.dataset.events, "", () => "", { tournament: hear }, waits, lost);
  live.addEventListener("focusout", () => setTimeout(() => wanted > shown && look(), GATHER));
}
