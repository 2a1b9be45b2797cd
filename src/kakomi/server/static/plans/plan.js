// The page of a plan: clicks change the plan, never the game.

import { listenToTargets, started, tapper } from "../boards/board.js";
import { Fragments, scrollKeeper } from "../boards/fragments.js";
import { listenTo } from "../news.js";
import { onLink, onStepKeys } from "../site.js";

const KEYS = { ArrowLeft: "before", ArrowRight: "next", ArrowUp: "above", ArrowDown: "below", Home: "first" };
const BOARD_KEYS = { PageUp: "before", PageDown: "next", Home: "first" };
const BUTTONS = { Backspace: "untouch", Escape: "untouch", Delete: "remove" }; // none of them arms a plan
const PATIENCE = 2000; // milliseconds before a failed request is repeated

const page = new Fragments("plan", scrollKeeper("#lines"));
const plan = () => page.element;
const said = document.getElementById("said");

const tap = tapper(enter);
let latest = 0; // the number of the table's latest news
let version = 0; // the plan's latest version, perhaps changed on another page
let queue = Promise.resolve();
let sent = ""; // the command being sent

page.whenShown((shown, before) => {
  tap.forget();
  if (!before) return;
  history.replaceState(null, "", address());
  say(shown.dataset.said);
});
listenToTargets("#board .target", { clicked: tap.clicked, pressed });
import("../boards/effects.js").then(({ clearPreview, listenForPreviews }) => {
  page.whenShown(clearPreview);
  listenForPreviews("#board .target", () => `${plan().dataset.effects}?${place()}&of=${stamp()}`);
}, reportError);
listenTo(
  () => plan().dataset.events,
  {
    table: (news) => {
      latest = news;
      catchUp();
    },
    aside: (changed) => {
      version = changed;
      catchUp();
    },
  },
  { here: () => plan().dataset.here },
);
addEventListener("pageshow", (event) => event.persisted && location.reload());

document.addEventListener("submit", (event) => {
  if (event.target.id !== "command") return;
  event.preventDefault();
  send(event.target, event.submitter.value);
});
onLink("a[data-at]", (link) => go(link.dataset.at));
onStepKeys(KEYS, step);
onStepKeys(BUTTONS, press);
started();

function place() {
  const { at, begun } = plan().dataset;
  return new URLSearchParams({ ...(at && { at }), ...(begun && { begun }) });
}

function address() {
  const query = place().toString();
  return plan().dataset.address + (query && `?${query}`);
}

/** Identifies the current state of the tree and the game. */
const stamp = () => `${plan().dataset.version}-${plan().dataset.news}`;

/** Fetch or change the plan, and show the response, after all earlier requests. */
function ask(what) {
  queue = queue.then(async () => {
    const [where, options] = what();
    if (!(await page.ask(where, options))) say(said.dataset.lost);
  });
  return queue;
}

const go = (at) => ask(() => [`${plan().dataset.address}?${new URLSearchParams({ at })}`]);

/** Send the form as it is after earlier requests, whose responses determine its place in the plan. */
function send(form, value) {
  if (value === sent) return; // a double click
  sent = value;
  ask(() => {
    const body = new FormData(form);
    body.set("kind", value);
    return [form.action, { method: "POST", body }];
  }).then(() => (sent = ""));
}

function enter(target) {
  const action = target.dataset.action ?? target.dataset.point;
  if (action) send(document.getElementById("command"), `touch ${action}`);
}

/** Handle a key on the board, where the arrows move from point to point. Returns whether it has a function. */
function pressed(key, target) {
  if (key === "Enter" || key === " ") enter(target);
  else return step(BOARD_KEYS[key]) || press(BUTTONS[key]);
  return true;
}

/** Press a button if the page has it. Returns whether it could be pressed. */
function press(id) {
  const button = id && document.getElementById(id);
  if (!button || button.disabled) return false;
  button.click();
  return true;
}

/** Go to another turn of the plan: the previous one, the next one, or an alternative. */
function step(where) {
  const turns = [...plan().querySelectorAll("a[data-at]")].map((link) => link.dataset.at);
  const here = plan().dataset.at;
  const [above, number] = [here.split(".").slice(0, -1).join("."), Number(here.split(".").at(-1))];
  const beside = (other) => (above ? `${above}.${other}` : `${other}`);
  const to = {
    first: "",
    before: here ? above : undefined,
    next: here ? `${here}.0` : "0",
    above: here ? beside(number - 1) : undefined,
    below: here ? beside(number + 1) : undefined,
  }[where];
  if (to === undefined || !turns.includes(to)) return false;
  go(to);
  return true;
}

const isBehind = () => latest > Number(plan().dataset.news);

/** Refresh the plan if there is something new after all pending requests; after news, at the game's present. */
function catchUp() {
  queue = queue.then(async () => {
    if (!isBehind() && version <= Number(plan().dataset.version)) return;
    if (!(await page.ask(isBehind() ? plan().dataset.address : address()))) setTimeout(catchUp, PATIENCE);
  });
}

function say(text) {
  said.textContent = text;
}
