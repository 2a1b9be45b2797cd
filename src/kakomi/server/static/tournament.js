// A tournament's page: its changing part is refreshed after news, and the viewer's game is announced. Here and in the
// list of tournaments, times are in the viewer's time zone, with countdowns to near ones.

import { listenTo, sound } from "./news.js";
import { startClocks } from "./tables/clocks.js";

const page = document.getElementById("tournament");
const live = document.getElementById("tournament-live");
const said = document.getElementById("tournament-said");
const lostNote = page?.querySelector(".tournament-lost");
const isCalled = "calls" in (document.getElementById("come")?.dataset ?? {}); // then every page announces it
const WRITES = "input, select, textarea";
const GATHER = 400; // milliseconds; events in quick succession are shown together
const SPREAD = 600; // milliseconds over which the viewers' requests are spread

let shown = Number(page?.dataset.news);
let wanted = shown;
let timer = null;

function hear(news) {
  if (news <= wanted) return;
  wanted = news;
  timer ??= setTimeout(look, GATHER + Math.random() * SPREAD);
}

/** Whether the viewer is using a field; the page is then refreshed only after they have left it. */
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
    // the connection is lost; the next one brings the next news
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

/** Whether the viewer has changed a field, whose value is kept when the page is refreshed. */
const isChanged = (field) =>
  field.options ? [...field.options].some((each) => each.selected !== each.defaultSelected) : field.value !== field.defaultValue;

function restore(field, value) {
  if (field?.options ? [...field.options].some((each) => each.value === value) : field) field.value = value;
}

const games = () => [...live.querySelectorAll("[data-own-game]")];

/** A selector for the same link or button after a refresh. */
function path(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.matches("a[href]")) return `a[href="${CSS.escape(element.getAttribute("href"))}"]`;
  const form = element.closest("form[action]");
  return form ? `form[action="${CSS.escape(form.getAttribute("action"))}"] button` : null;
}

startClocks(document);
if (page?.dataset.events) {
  listenTo(() => page.dataset.events, { tournament: hear }, { lost: (isLost) => (lostNote.hidden = !isLost) });
  live.addEventListener("focusout", () => setTimeout(() => wanted > shown && look(), GATHER));
}
