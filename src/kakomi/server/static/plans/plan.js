// The page on which somebody plans: a click there changes the plan, and never the game.

import { listenToTargets, started, tapper } from "../boardview/board.js";
import { Fragments } from "../boardview/fragments.js";
import { answerFor } from "../lobby/stream.js";

const KEYS = { ArrowLeft: "before", ArrowRight: "next", ArrowUp: "above", ArrowDown: "below", Home: "first" };
const BOARD_KEYS = { PageUp: "before", PageDown: "next", Home: "first" };
const PATIENCE = 2000; // milliseconds before another look at what could not be fetched

const page = new Fragments("plan", keep);
const plan = () => page.element;
const said = document.getElementById("said");

const tap = tapper(enter);
let latest = 0; // the number of the table's latest news
let version = 0; // of the plan, which another page of the same person's may have changed
let queue = Promise.resolve();
let sent = ""; // what is on its way

page.whenShown((shown, before) => {
  tap.forget();
  if (!before) return;
  history.replaceState(null, "", address());
  say(shown.dataset.said);
});
listenToTargets("#board .target", { clicked: tap.clicked, pressed });
import("../boardview/preview.js").then(({ clearPreview, listenForPreviews }) => {
  page.whenShown(clearPreview);
  listenForPreviews("#board .target", () => `${plan().dataset.effects}?${place()}&of=${stamp()}`);
}, reportError);
listen();

document.addEventListener("submit", (event) => {
  if (event.target.id !== "command") return;
  event.preventDefault();
  send(event.target, event.submitter.value);
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-at]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.dataset.at);
});
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, #board")) return;
  if (step(KEYS[event.key]) || command(event.key)) event.preventDefault();
});
started();

function place() {
  const { at, begun } = plan().dataset;
  return new URLSearchParams({ ...(at && { at }), ...(begun && { begun }) });
}

function address() {
  const query = place().toString();
  return plan().dataset.address + (query && `?${query}`);
}

/** A name of what the tree is now, and the game. */
const stamp = () => `${plan().dataset.version}-${plan().dataset.news}`;

/** Ask for the plan, or change it, and show the answer, once what was asked before has been answered. */
function ask(what) {
  queue = queue.then(async () => {
    const [where, options] = what();
    if (!(await page.ask(where, options))) say(said.dataset.lost);
  });
  return queue;
}

const go = (at) => ask(() => [`${plan().dataset.address}?${new URLSearchParams({ at })}`]);

/** Send the form as it is then: which place in the plan it means follows from the answer before. */
function send(form, value) {
  if (value === sent) return; // a second click on the same
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

/** Whether the key means something on the board, where the arrows walk from point to point. */
function pressed(key, target) {
  if (key === "Enter" || key === " ") enter(target);
  else return step(BOARD_KEYS[key]) || command(key);
  return true;
}

/** What keys do everywhere on the page; none of them arms a plan. */
function command(key) {
  const id = { Backspace: "untouch", Escape: "untouch", Delete: "remove" }[key];
  const button = id && document.getElementById(id);
  if (!button || button.disabled) return false;
  button.click();
  return true;
}

/** Go to another turn of the plan: the one before, what follows, or another one instead. */
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

/** The game goes on, or the plan is changed on another page: look again, from where the game stands. */
function listen() {
  const source = new EventSource(plan().dataset.events);
  let stream = "";
  const hear = (kind, heard) =>
    source.addEventListener(kind, (event) => {
      heard(JSON.parse(event.data));
      answerFor(plan().dataset.here, stream);
    });
  hear("stream", (name) => (stream = name));
  hear("beat", () => {});
  hear("table", (news) => {
    latest = news;
    catchUp();
  });
  hear("aside", (changed) => {
    version = changed;
    catchUp();
  });
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}

const isBehind = () => latest > Number(plan().dataset.news);

/** Look again if there is something new once all is answered that is on its way. */
function catchUp() {
  queue = queue.then(async () => {
    if (!isBehind() && version <= Number(plan().dataset.version)) return;
    if (!(await page.ask(isBehind() ? plan().dataset.address : address()))) setTimeout(catchUp, PATIENCE);
  });
}

function say(text) {
  said.textContent = text;
}

/** The tree stays where it is scrolled to. */
function keep(before) {
  const top = before.querySelector("#lines").scrollTop;
  return (after) => {
    after.querySelector("#lines").scrollTop = top;
  };
}
