// The script of a table's page: announcements, switches, keys and drawers around the board, and the start of everything.

import { started } from "../boards/board.js";
import { areOn, switchSounds } from "../news.js";
import { onKey, onLink } from "../site.js";
import { listenToBoard, premovesAreOn, settleBoard, switchPremoves } from "./board.js";
import { connect, listenToSteps, markMoment, mention, table, whenShown } from "./page.js";
import { listenToForms } from "./sending.js";

// Announcements to screen readers.

const said = document.getElementById("said");

let since = null; // the number of entries when the viewer began to look back

/** Announce the changes since the last update. */
function say(shown, before) {
  const now = shown.dataset;
  if (!before || "past" in now || "past" in before) return;
  const words = [newDeed(now, before), now.prompt === before.prompt ? "" : now.prompt].filter(Boolean);
  if (words.length) said.textContent = words.join(" ");
}

/** The announcement of what was done: the viewer's own turns step by step, those of others as a whole. */
function newDeed(now, before) {
  const [own, known] = [now, before].map((data) => data.own?.split(" ") ?? []); // `12.d4` is the 13th action
  if (now.told !== before.told) {
    const fresh = own.filter((step) => !known.includes(step));
    return own.length && !fresh.length ? "" : fresh.length === 1 ? now.step : now.said;
  }
  if (now.own === before.own) return "";
  const [at, was] = [own, known].map((steps) => Number.parseInt(steps.at(-1) ?? "-1"));
  return at < was ? said.dataset.undone.replace("{what}", before.step) : now.step;
}

/** Announce news on a page that shows an earlier moment. */
function sayNews(shown) {
  if (!("past" in shown.dataset)) {
    since = null;
    return;
  }
  const entries = Number(shown.dataset.entries);
  since ??= entries;
  const news = shown.querySelector(".turn .news");
  if (!news || entries <= since) return;
  news.hidden = false;
  if (said.textContent !== news.textContent) said.textContent = news.textContent;
}

// The viewer's turn, shown by the window's title and icon, and by the browser's notifications if they are switched on
// and the page isn't visible.

const NOTIFICATIONS = "kakomi.notifications";

const icon = document.querySelector("link[rel=icon]");
const { turnIcon } = said.dataset;
const plainIcon = icon.getAttribute("href");

let notification = null;

function drawAttention(shown, before) {
  const isActing = "acting" in shown.dataset;
  document.title = shown.dataset.title;
  const wanted = isActing ? turnIcon : plainIcon;
  if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
  if (!isActing || !document.hidden) notification?.close();
  if (isActing && before && !("acting" in before) && document.hidden && notifies()) notify(shown);
}

/** Whether notifications are switched on, and allowed by the browser. */
const notifies = () => localStorage.getItem(NOTIFICATIONS) === "on" && globalThis.Notification?.permission === "granted";

function notify(shown) {
  try {
    notification = new Notification(shown.getAttribute("aria-label"), {
      body: `${shown.dataset.said ?? ""} ${shown.dataset.prompt ?? ""}`.trim(),
      tag: shown.dataset.address,
      icon: turnIcon,
    });
  } catch {
    return; // browsers of phones require a service worker for this
  }
  notification.addEventListener("click", () => {
    window.focus();
    notification.close();
  });
}

// Switches of this device, which are stored only in the browser, and keys.

function listenToSwitches() {
  const [sounds, premoves, notifications] = ["sounds", "premoves", "notifications"].map((id) => document.getElementById(id));
  sounds.checked = areOn();
  premoves.checked = premovesAreOn();
  notifications.checked = notifies();
  sounds.addEventListener("change", () => switchSounds(sounds.checked));
  premoves.addEventListener("change", () => switchPremoves(premoves.checked));
  notifications.addEventListener("change", async () => {
    localStorage.setItem(NOTIFICATIONS, notifications.checked ? "on" : "off");
    if (notifications.checked && (await globalThis.Notification?.requestPermission()) !== "granted") mention("forbidden");
    notifications.checked = notifies();
  });
  onKey("s", () => {
    sounds.click();
    mention(sounds.checked ? "audible" : "silent");
  });
}

function listenToKeys() {
  const keys = document.getElementById("keys");
  onKey("?", () => keys.showModal());
  for (const element of document.querySelectorAll(".for-scripts")) element.hidden = false;
  document.addEventListener("click", (event) => event.target.closest("[data-keys]") && keys.showModal());
}

// Drawers beside the board, whose content is loaded when they are opened, and refreshed while they are open.

const EVERY = 5000; // milliseconds

function listenToDrawers() {
  document.addEventListener("toggle", ({ target }) => target.open && fill(target), true); // it doesn't bubble
  setInterval(() => !document.hidden && fillDrawers(), EVERY);
  whenShown(fillDrawers);
}

function fillDrawers() {
  for (const drawer of document.querySelectorAll("details[data-loads][open]")) fill(drawer);
}

async function fill(drawer) {
  const place = drawer.dataset.loads && drawer.querySelector("[data-loaded]");
  const html = place ? await fetched(drawer.dataset.loads) : null;
  if (html !== null && place.innerHTML !== html) place.innerHTML = html;
}

/** A part of a page as HTML; null if it can't be loaded. */
const fetched = (address) =>
  fetch(address, { headers: { "HX-Request": "true" } }).then(
    (answer) => (answer.ok ? answer.text() : null),
    () => null,
  );

// The rules in a drawer beside the board, scrolled to the rule that applies now or that a link refers to.

const rules = document.getElementById("rules");

let loading = null;

function listenToRules() {
  onLink("a[data-rule]", openRule);
  rules.addEventListener("toggle", () => rules.open && showRule(table().dataset.rule));
  whenShown((shown) => rules.open && showRule(shown.dataset.rule));
}

async function openRule(link) {
  document.getElementById("menu").open = true;
  rules.open = true;
  if (!(await showRule(link.dataset.rule))) location.assign(link.href);
  else if (rules.getBoundingClientRect().top > innerHeight * 0.8) rules.scrollIntoView({ block: "nearest" });
}

/** Scroll to a rule within the drawer. Returns false if the rules couldn't be loaded. */
async function showRule(rule) {
  loading ??= loadRules();
  if (!(await loading)) {
    loading = null;
    return false;
  }
  for (const marked of rules.querySelectorAll(".is-now")) marked.classList.remove("is-now");
  const found = rule && rules.querySelector(`#rule-${CSS.escape(rule)}`);
  if (!found) return true;
  found.classList.add("is-now");
  const text = rules.querySelector(".drawer-content");
  text.scrollTop += found.getBoundingClientRect().top - text.getBoundingClientRect().top - text.clientHeight / 6;
  return true;
}

async function loadRules() {
  const html = await fetched(rules.dataset.text);
  if (html === null) return false;
  const text = rules.querySelector(".drawer-text");
  text.innerHTML = html;
  text.hidden = false;
  return true;
}

// The start, and what happens after each update.

whenShown(settleBoard);
whenShown(markMoment);
whenShown(sayNews);
whenShown(say);
listenToBoard();
listenToForms();
listenToSteps();
listenToKeys();
connect();
started();
whenShown(drawAttention);
listenToSwitches();
listenToDrawers();
listenToRules();

add(import("./clocks.js"), ({ startClocks }) => whenShown(startClocks));
add(import("../boards/effects.js"), ({ clearPreview, listenForPreviews, showEffects }) => {
  whenShown(showEffects);
  whenShown(clearPreview);
  listenForPreviews("#board .target", effectsHere);
});
add(import("./coach.js"), ({ follow, listenToCoach }) => {
  whenShown(follow);
  listenToCoach();
});
if (document.getElementById("device")) {
  add(import("./bots.js"), ({ letBotsThink, listenToEngine }) => {
    listenToEngine();
    whenShown(letBotsThink);
  });
}

/** Start an optional script if it can be loaded. */
async function add(module, start) {
  try {
    start(await module);
  } catch (error) {
    mention("incomplete");
    reportError(error);
  }
}

/** The URL of the effects of all actions; empty if none can be played. */
function effectsHere() {
  const { address, entries, playing } = table().dataset;
  const { seen } = document.getElementById("command").elements;
  return playing === undefined ? "" : `${address}/effects?${new URLSearchParams({ entries, seen: seen.value })}`;
}
