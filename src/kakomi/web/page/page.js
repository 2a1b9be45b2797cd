// An exported page: people at one screen and bots, analysis, records. It needs no server.

import { listenToTargets, tapper } from "../../server/static/boards/board.js";
import { compile, Engine, EngineError, leader, ownerMarks } from "../../server/static/engine/engine.js";
import { _, kept, t, unpack, useTexts } from "./data.js";
import { readRecord, RecordError, sameOptions, writeJson, writeSgf } from "./records.js";
import { drawBoard, drawScene } from "./scene.js";

const ANALYSIS_SECONDS = 30; // then it rests until the position changes
const SHOWN = 5; // the lines of an analysis
const HINTED = 3; // those with a badge on the board
const THEMES = ["auto", "light", "dark"];
const CITATION = / \([^()]*\d\)$/; // "(RULES N1)", of the rules that reasons follow
const KINDS = {
  place: _("plays {places}"),
  remove: _("removes {places}"),
  convert: _("converts {places}"),
  pass: _("passes"),
  end: _("ends the turn"),
};
const FAILURES = {
  unsupported: _("This browser can’t run games: it lacks WebAssembly."),
  old: _("This browser is too old for this page. Update it, or try another one."),
  damaged: _("This page is damaged. Download it again."),
  memory: _("There isn’t enough memory for this game. Close other pages and try again."),
};

const LACKING = { // what the rules can do without
  network: _("This browser can’t run neural networks, so bots and analysis do without them."),
  unsupported: _("This browser can’t run bots and analysis here, but people can play."),
  memory: _("There isn’t enough memory for bots and analysis, but people can play."),
};
const BY_NETWORK = "network";

const by = (id) => document.getElementById(id);

/** Make an element: attributes, listeners (`onclick`), and children. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

let data = null; // what the page holds
let language = "en";
let game = null; // one of data.games
let board = null; // one of game.boards
let engine = null; // for the rules
let scenery = null;
let worker = null;
let actions = []; // played
let positions = []; // before each action and after the last
let at = 0; // the number of actions before the shown position
let seats = []; // level of each player's bot; 0: a person
let names = {}; // player -> name in a record
let isAnalysing = false;
let showsOwners = false;
let report = null; // of the analysis of the shown position
let thinking = 0; // the number of the current search
let asked = "";
let canUseNetwork = true;
let lacking = ""; // why there are no bots, or none with a network
let generation = 0; // increased with every new board

const here = () => positions[at];
const isLatest = () => at === actions.length;
const player = (number) => t(board.players[number]);
const named = (number) => (names[number] ? names[number] : player(number));
const shownOverlays = () => JSON.parse(kept.get(`overlays.${game.name}`) ?? "null") ?? game.overlays.filter((overlay) => overlay.for_newcomers).map(({ name }) => name);
const isDotted = () => (kept.get(`dots.${game.name}`) ?? (game.dots ? "on" : "off")) === "on";

// Starting

async function begin() {
  if (typeof DecompressionStream !== "function") return fail(new EngineError("old"));
  try {
    data = await unpack(by("data").textContent);
  } catch (error) {
    return fail(new EngineError("damaged", error));
  }
  canUseNetwork = Boolean(data.network && globalThis.WebAssembly?.validate(data.part(data.network)));
  for (const one of data.games) for (const each of one.boards) each.game = one.name;
  setLanguage(kept.get("language") ?? (navigator.language.startsWith("de") ? "de" : "en"));
  setTheme(kept.get("theme") ?? "auto");
  const record = fromAddress();
  if (record) await open(record, true);
  if (!engine) await choose(data.games[0], data.games[0].boards[0]);
  addEventListener("hashchange", () => { const found = fromAddress(); if (found) open(found, true); });
  addEventListener("pagehide", () => { worker?.terminate(); worker = null; });
  addEventListener("pageshow", ({ persisted }) => persisted && engine && settle());
  return undefined;
}

function fail(error) {
  const reason = error instanceof EngineError ? error.reason : "damaged";
  console.error(error);
  by("main").replaceChildren(make("p", { class: "alert bad", role: "alert", id: "failure" }, t(FAILURES[reason])));
}

/** Set up a board, with an empty game. */
async function choose(chosenGame, chosenBoard, keepSeats = false) {
  const mine = ++generation;
  lacking = data.network && !canUseNetwork && chosenBoard.program.networkSegments ? BY_NETWORK : "";
  worker?.terminate();
  worker = null;
  const module = chosenGame.module instanceof Uint8Array ? chosenGame.module : (chosenGame.module = data.part(chosenGame.module));
  try {
    const { description, segments } = programOf(chosenBoard);
    const started = await Engine.start(await compile(module), { description, segments }, description.rules_end);
    if (mine !== generation) return;
    started.points = chosenBoard.points.length;
    [game, board, engine] = [chosenGame, chosenBoard, started];
  } catch (error) {
    fail(error);
    return;
  }
  const numbers = new Map(board.actions.map(({ text }, number) => [text, number]));
  board.number = (text) => numbers.get(text);
  const places = drawBoard(by("place"), board.scenery);
  scenery = { ...board.scenery, places, players: board.players.length };
  if (!keepSeats || seats.length !== board.players.length) seats = board.players.map((_, number) => (number ? Math.min(4, game.levels.length) : 0));
  document.title = game.title;
  clear();
  drawFrame();
  think();
}

const programOf = ({ program }) => ({
  description: program.description,
  segments: program.segments.map(([address, part]) => [address, data.part(part)]),
  networkSegments: (program.networkSegments ?? []).map(([address, part]) => [address, data.part(part)]),
});

function clear() {
  [actions, positions, at, names, report] = [[], [engine.start()], 0, {}, null];
}

function newGame() {
  clear();
  settle();
}

// Playing

/** Play an action in the shown position; what followed it is dropped. */
function play(number) {
  const next = engine.play(here(), number);
  if (!next) return false;
  if (!isLatest()) names = {};
  actions = [...actions.slice(0, at), number];
  positions = [...positions.slice(0, at + 1), next];
  at = actions.length;
  by("said").textContent = describe(at - 1);
  settle();
  return true;
}

const isPersonsTurn = () => !here().isOver && !(isLatest() && seats[here().toMove]);

function touch(target) {
  const { action, point, cell } = target.dataset;
  if (!isPersonsTurn()) return;
  if (action === undefined) refuse(point ?? cell);
  else play(board.number(action));
}

/** Say why there is nothing to play at a place. */
function refuse(place) {
  const kinds = new Set(engine.legal(here()).map((number) => board.actions[number].kind));
  const there = board.actions.flatMap(({ target }, number) => (target === place ? [number] : []));
  const meant = there.find((number) => kinds.has(board.actions[number].kind)) ?? there[0];
  if (meant === undefined) return;
  const { toMove } = here();
  const { index, ...numbers } = engine.calls.find_reason ? engine.reason(here(), meant) : { index: -1 };
  const names = { own: player(toMove), enemy: player((toMove + 1) % board.players.length), place };
  const reason = t(game.reasons[index] ?? _("the rules don’t allow it now"), { ...board.options, ...numbers, ...names });
  say(t("{action} can't be played: {reason}", { action: board.actions[meant].text, reason: reason.replace(CITATION, "") }));
}

/** Take back the last turn of a person, with what bots played since. */
function undo() {
  let length = at;
  do {
    const before = length;
    do length -= 1; while (length > 0 && positions[length].toMove === positions[length - 1].toMove && positions[length - 1].toMove === positions[before - 1].toMove);
  } while (length > 0 && seats[positions[length].toMove] && seats.some((level) => !level));
  actions = actions.slice(0, Math.max(0, length));
  positions = positions.slice(0, actions.length + 1);
  go(actions.length);
}

function go(ply) {
  at = Math.max(0, Math.min(actions.length, ply));
  settle();
}

/** The actions of each turn: player, first ply and the one after the last. */
function turns(length = actions.length) {
  const found = [];
  for (let ply = 0; ply < length; ply += 1) {
    const mover = positions[ply].toMove;
    if (found.at(-1)?.player === mover) found.at(-1).end = ply + 1;
    else found.push({ player: mover, start: ply, end: ply + 1 });
  }
  return found;
}

function describe(ply) {
  const { kind, text, target } = board.actions[actions[ply]];
  const places = kind === "place" ? text : target ?? text;
  return `${named(positions[ply].toMove)} ${t(KINDS[kind] ?? _("plays {places}"), { places })}`;
}

// Showing

/** Show the position, and let a bot or the analysis think. */
function settle() {
  report = null;
  think();
  draw();
}

function draw() {
  const position = here();
  const stones = Object.fromEntries(engine.stones(position).map((piece, point) => [board.points[point], piece]).filter(([, piece]) => piece >= 0));
  const legal = {};
  const offBoard = [];
  for (const number of engine.legal(position)) {
    const { text, target, kind } = board.actions[number];
    if (target === null) offBoard.push({ number, kind, text });
    else legal[target] ??= text;
  }
  const turn = turns(at).at(-1);
  const last = turn ? actions.slice(turn.start, turn.end).map((number) => board.actions[number].target).filter((target) => target !== null) : [];
  const toMove = position.isOver ? null : position.toMove;
  const scene = { stones, last, legal: isPersonsTurn() ? legal : {}, toMove, marks: [...marksOf(position), ...likelyOwners()], hints: hintsOf(), isDotted: isDotted() };
  drawScene(by("board"), scenery, scene);
  nameTargets(scene);
  drawPlayers(position);
  drawTurn(position, offBoard);
  drawMoves();
  drawAnalysis();
}

function marksOf(position) {
  const shown = shownOverlays();
  return engine.marks(position).flatMap((numbers, index) => {
    const overlay = game.overlays[index];
    if (!shown.includes(overlay.name) && !(overlay.is_lasting && position.isOver)) return [];
    return numbers.flatMap((number, place) => {
      if (!number) return [];
      const isCell = place >= board.points.length;
      const name = isCell ? board.cells[place - board.points.length].name : board.points[place];
      const [kind, text] = isCell ? [overlay.cell_kind, overlay.cell_text] : [overlay.kind, overlay.text];
      const [owner, count, needed] = [number & 7, (number >> 3) & 4095, number >> 15]; // as `kakomi.core.marks` packs them
      const told = text && !count ? t(text) : needed ? `${count}/${needed}` : String(count);
      return [{ kind, at: name, player: owner > board.players.length ? null : owner - 1, text: kind === "text" ? told : text, title: overlay.name }];
    });
  });
}

const likelyOwners = () =>
  (isAnalysing && showsOwners && report?.owners ? ownerMarks(report.owners, board.points) : [])
    .map((mark) => ({ ...mark, remark: mark.kind === "heat" ? `${t("Likely owners")}: ${player(mark.player)} ${percent(mark.share)}` : "" }));

const hintsOf = () =>
  (isAnalysing && report ? report.lines.slice(0, HINTED) : [])
    .map(({ action, chances }, rank) => ({ at: board.actions[action].target, label: percent(chances[report.toMove]), rank }))
    .filter(({ at: target }) => target !== null);

/** The names of points and cells, for screen readers. */
function nameTargets({ stones, last, legal, marks, toMove }) {
  const remarks = {};
  for (const { kind, at: name, player: owner, text, title, remark } of marks) {
    if (remark) (remarks[name] ??= []).push(remark);
    if (remark !== undefined) continue;
    const isOwners = owner === null || (name in stones && stones[name] % board.players.length === owner);
    const meaning = t(kind === "text" ? title : text);
    const what = isOwners ? meaning : t("{what} ({player})", { what: meaning, player: player(owner) });
    (remarks[name] ??= []).push(kind === "text" ? t("{what}: {text}", { what, text }) : what);
  }
  for (const name of new Set(last)) (remarks[name] ??= []).push(t("last played"));
  for (const name of Object.keys(legal)) (remarks[name] ??= []).push(t("legal"));
  const owner = (name) => (name in stones ? stones[name] % board.players.length : -1);
  const label = (name, ...words) => [name, ...words, ...(remarks[name] ?? [])].join(", ");
  const set = (name, text) => scenery.places[name].target.setAttribute("aria-label", text);
  for (const name of board.points) set(name, label(name, owner(name) < 0 ? t("empty") : t("{player} stone", { player: player(owner(name)) })));
  for (const { name, points } of board.cells) {
    const counts = board.players.map((_, number) => points.filter((point) => owner(board.points[point]) === number).length);
    const inside = counts.flatMap((count, number) => (count ? [t("{count} {player}", { count, player: player(number) })] : []));
    set(name, label(name, ...(inside.length ? inside : [t("no stones")])).replace(name, t(board.cellName, { name })));
  }
  const who = board.players.map((_, number) => {
    const held = board.points.filter((name) => owner(name) === number);
    return held.length ? t("{player} has {count} stones: {places}.", { player: player(number), count: held.length, places: held.join(" ") }) : t("{player} has no stones.", { player: player(number) });
  });
  const moves = toMove === null ? [] : [t("{player} to move.", { player: player(toMove) })];
  by("board-desc").textContent = [...who, ...moves].join(" ");
}

const percent = (chance) => (chance > 0 && chance <= 0.005 ? "<1 %" : chance < 1 && chance >= 0.995 ? ">99 %" : `${Math.round(100 * chance)} %`);

function stone(number) {
  return make("span", { class: `stone stone-${scenery.styles[number]}`, "aria-hidden": "true" });
}

function drawPlayers(position) {
  const scores = engine.scores(position);
  const list = by("players");
  for (const [number] of board.players.entries()) {
    const item = list.children[number];
    item.classList.toggle("is-acting", !position.isOver && position.toMove === number);
    item.querySelector(".value").textContent = Number.isInteger(scores[number]) ? scores[number] : scores[number].toFixed(1);
    item.querySelector("b").textContent = named(number);
    item.querySelector("select").value = seats[number];
  }
}

function drawTurn(position, offBoard) {
  const prompt = by("prompt");
  const mover = named(position.toMove);
  const isBots = isLatest() && seats[position.toMove] > 0;
  prompt.classList.toggle("is-yours", isPersonsTurn());
  prompt.textContent = position.isOver ? ending(position) : isBots ? t("{player} is thinking…", { player: mover }) : t("{player} to move.", { player: mover });
  const buttons = isPersonsTurn()
    ? offBoard.map(({ number, kind, text }) => make("button", { type: "button", class: "button", id: `action-${text}`, onclick: () => play(number) }, t({ pass: _("Pass"), end: _("End turn") }[kind] ?? text)))
    : [];
  buttons.push(make("button", { type: "button", class: "button", id: "undo", disabled: at === 0, onclick: undo }, t("Undo")));
  buttons.push(make("button", { type: "button", class: position.isOver ? "button primary" : "button", id: "new-game", onclick: newGame }, t("New game")));
  replace(by("actions"), buttons);
}

/** Replace the children, keeping the focus on the element of the same id. */
function replace(parent, children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.id : "";
  parent.replaceChildren(...children);
  if (focused) by(focused)?.focus();
}

function winnersOf(position) {
  const scores = engine.scores(position);
  const most = Math.max(...scores);
  return scores.flatMap((score, number) => (score === most ? [number] : []));
}

function ending(position) {
  const winners = winnersOf(position);
  if (winners.length === board.players.length) return t("A draw");
  const all = winners.map(named);
  return winners.length > 1 ? t("{names} share the win", { names: all.join(", ") }) : t("{name} wins", { name: all[0] });
}

function drawMoves() {
  const items = turns().map(({ player: mover, start, end }, index) => {
    const parts = actions.slice(start, end).map((number, offset) =>
      make("button", { type: "button", "aria-current": start + offset + 1 === at ? "step" : undefined, onclick: () => go(start + offset + 1) }, board.actions[number].text),
    );
    return make("li", {}, make("span", { class: "number" }, index + 1), stone(mover), make("span", { class: "visually-hidden" }, player(mover)), ...parts);
  });
  by("moves").replaceChildren(...items);
  const current = by("moves").querySelector("[aria-current]");
  if (current) by("moves").scrollTop = current.closest("li").offsetTop - by("moves").offsetTop - 40;
  const step = (id, sign, label, ply) => make("button", { type: "button", class: "button small", id, "aria-label": t(label), disabled: ply < 0 || ply > actions.length || ply === at, onclick: () => go(ply) }, sign);
  replace(by("steps"), [
    step("step-first", "«", _("First position"), 0),
    step("step-before", "‹", _("Previous position"), at - 1),
    make("span", { class: "muted" }, `${at} / ${actions.length}`),
    step("step-after", "›", _("Next position"), at + 1),
    step("step-last", "»", _("Last position"), actions.length),
  ]);
}

function drawAnalysis() {
  by("analyse").setAttribute("aria-pressed", isAnalysing);
  by("owners").setAttribute("aria-pressed", isAnalysing && showsOwners);
  const chances = isAnalysing ? (here().isOver ? finalChances() : report?.chances) : null;
  let left = 0;
  const bars = (chances ?? []).map((chance, number) => {
    const bar = `<rect class="stone-${scenery.styles[number]}" x="${left}" y="0" width="${100 * chance}" height="4"/>`;
    left += 100 * chance;
    return bar;
  });
  by("shares").innerHTML = bars.join("");
  const words = chances ? chances.map((chance, number) => `${player(number)} ${percent(chance)}`).join(" · ") : "";
  const count = report ? t("{count} simulations", { count: report.simulations.toLocaleString(language) }) : "";
  const best = showsOwners && report?.owners ? leader(report.owners, language) : null;
  const lead = best ? t("{player} leads by {lead} ± {spread}", { ...best, player: player(best.player) }) : "";
  by("engine-state").textContent = isAnalysing ? [words, lead, count].filter(Boolean).join(" · ") || t("Starting the engine…") : t(LACKING[lacking] ?? _("Win probability, computed on your device."));
  by("analyse").disabled = by("owners").disabled = !hasBots();
  const lines = isAnalysing && report ? report.lines.slice(0, SHOWN) : [];
  replace(by("lines"), lines.map(({ chances: each, principal, visits }, index) => {
    const [first, ...others] = principal.map((action) => board.actions[action].text);
    const button = make("button", { type: "button", class: "move", id: `line-${index}`, disabled: !isPersonsTurn(), onclick: () => play(principal[0]) }, first);
    return make("li", {}, make("b", {}, percent(each[report.toMove])), button, make("span", { class: "principal" }, others.slice(0, 6).join(" ")), make("span", { class: "fine" }, visits.toLocaleString(language)));
  }));
}

function finalChances() {
  const winners = winnersOf(here());
  return board.players.map((_, number) => (winners.includes(number) ? 1 / winners.length : 0));
}

// Thinking, in a worker

function workerReady() {
  if (worker) return worker.ready;
  const url = URL.createObjectURL(new Blob([by("worker").textContent], { type: "text/javascript" }));
  try {
    worker = new Worker(url);
  } catch {
    queueMicrotask(() => doWithout("unsupported"));
    return new Promise(() => {});
  }
  URL.revokeObjectURL(url);
  worker.onmessage = ({ data: message }) => heard(message);
  worker.onerror = () => doWithout("unsupported");
  worker.ready = new Promise((ready) => { worker.isReady = ready; });
  const network = canUseNetwork && board.program.networkSegments ? data.part(data.network) : null;
  worker.postMessage({ kind: "load", module: game.module, network, program: programOf(board) });
  return worker.ready;
}

/** Let a bot think if it is its turn, else the analysis if it is on. */
function think() {
  const position = here();
  const isBots = isLatest() && seats[position.toMove] > 0 && !position.isOver;
  const id = ++thinking;
  worker?.postMessage({ kind: "stop" });
  if (position.isOver || (!isBots && !isAnalysing)) return;
  const legal = engine.legal(position);
  if (isBots && legal.length === 1) {
    setTimeout(() => id === thinking && play(legal[0]), 150);
    return;
  }
  const level = game.levels[seats[position.toMove] - 1];
  const limits = isBots
    ? { search: level.kind, simulations: level.simulations, temperature: level.temperature, seed: Math.floor(Math.random() * 2 ** 32) }
    : { search: strongest(), seconds: ANALYSIS_SECONDS, seed: 0, owners: showsOwners };
  asked = isBots ? "bot" : "analysis";
  workerReady().then(() => id === thinking && worker.postMessage({ kind: "search", id, actions: actions.slice(0, at), ...limits }));
}

const hasBots = () => !lacking || lacking === BY_NETWORK;
const isPlayable = ({ kind }) => hasBots() && (canUseNetwork || kind !== BY_NETWORK);

function strongest() {
  const { strongest: best, kinds } = board.program.description;
  return best !== BY_NETWORK || canUseNetwork ? best : "patterns" in kinds ? "patterns" : "prior";
}

/** Go on without bots and analysis. */
function doWithout(reason) {
  worker?.terminate();
  [worker, lacking, isAnalysing, report] = [null, reason, false, null];
  seats = seats.map(() => 0);
  drawFrame();
  say(t(LACKING[reason]));
}

function heard(message) {
  if (message.kind === "ready") worker.isReady();
  else if (message.kind === "failed" && message.reason in LACKING) doWithout(message.reason);
  else if (message.kind === "failed") fail(new EngineError(message.reason, message.words));
  else if (message.id === thinking) {
    if (asked === "bot") {
      if (message.isDone) play(message.action);
    } else {
      report = message;
      draw();
    }
  }
}

// Records

function record() {
  const last = positions.at(-1);
  return {
    kakomi_record: 1,
    game: game.name,
    options: board.options,
    seats: board.players.map((_, number) => ({ ...(names[number] && { name: names[number] }), ...(seats[number] > 0 && { bot: `level ${seats[number]}` }) })),
    ...(last.isOver && { result: { reason: "rules", winners: winnersOf(last), scores: engine.scores(last) } }),
    turns: turns().map(({ player: mover, start, end }) => ({ player: mover, actions: actions.slice(start, end).map((number) => board.actions[number].text) })),
  };
}

function save(text, ending) {
  const url = URL.createObjectURL(new Blob([text], { type: ending === "json" ? "application/json" : "application/x-go-sgf" }));
  make("a", { href: url, download: `${game.name}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const sgf = () => {
  const named = record().seats.map((seat) => ({ ...seat, name: seat.name || undefined }));
  return writeSgf({ ...record(), seats: named }, { title: game.title, version: data.version, size: board.options.size, komi: board.komi, number: game.sgfNumber, spelled: board.spelled });
};

/** Show a record; says why if it can't be shown. */
async function open(text, showsLast = false) {
  try {
    const found = readRecord(text, game ? [board, ...data.games.flatMap(({ boards }) => boards)] : data.games.flatMap(({ boards }) => boards));
    const wanted = data.games.find(({ name }) => name === found.game);
    if (!wanted) throw new RecordError(_("This page doesn’t have the game in this record."));
    const size = wanted.boards.find(({ options }) => sameOptions(options, found.options ?? {}));
    if (!size) throw new RecordError(_("This page doesn’t have the board in this record."));
    await choose(wanted, size);
    const played = replayed(found.turns);
    seats = board.players.map(() => 0);
    names = Object.fromEntries((found.seats ?? []).map(({ name, bot }, number) => [number, String(name || bot || "").slice(0, 60)]));
    [actions, positions] = [played.map(({ number }) => number), [engine.start(), ...played.map(({ position }) => position)]];
    go(showsLast ? actions.length : 0);
  } catch (error) {
    if (!(error instanceof RecordError)) console.error(error);
    say(t(error instanceof RecordError ? error.message : _("This isn’t a game record.")));
  }
}

/** Play the turns of a record; removals of a turn may be in any order. */
function replayed(all) {
  const played = [];
  let position = engine.start();
  for (const { player: mover, actions: texts } of all) {
    const waiting = texts.map((text) => board.number(text));
    if (position.isOver || mover !== position.toMove) throw new RecordError(_("This record contains an illegal move."));
    while (waiting.length) {
      const isRemoval = (number) => board.actions[number]?.kind === "remove";
      const legal = engine.legal(position);
      const index = isRemoval(waiting[0]) ? Math.max(0, waiting.findIndex((number) => isRemoval(number) && legal.includes(number))) : 0;
      const [number] = waiting.splice(index, 1);
      const next = number === undefined ? null : engine.play(position, number);
      if (!next) throw new RecordError(_("This record contains an illegal move."));
      played.push({ number, position: next });
      position = next;
    }
  }
  return played;
}

/** The record in the page's address, behind `#record=`. */
function fromAddress() {
  const found = /^#record=(.*)$/s.exec(location.hash);
  try {
    return found && decodeURIComponent(found[1]);
  } catch {
    return null;
  }
}

function say(words) {
  by("said").textContent = words;
  by("prompt").textContent = words;
}

// What is around the board

function setLanguage(chosen) {
  language = chosen in data.texts ? chosen : "en";
  useTexts(data.texts[language]);
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

function drawFrame() {
  by("title").textContent = game.title;
  by("brand").textContent = data.games.length > 1 ? "Kakomi" : game.title;
  by("options").textContent = t(board.label);
  by("credit").textContent = t(game.credit);
  by("place").firstElementChild.setAttribute("aria-label", game.title);
  const theme = document.documentElement.dataset.theme;
  const nextTheme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  const chosenGame = data.games.length > 1 && make("select", { id: "game", "aria-label": t("Game"), onchange: ({ target }) => { const one = data.games[target.value]; choose(one, one.boards[0]); } }, ...data.games.map((one, index) => make("option", { value: index, selected: one === game }, one.title)));
  const chosenBoard = make("select", { id: "size", "aria-label": t("Board"), onchange: ({ target }) => choose(game, game.boards[target.value], true) }, ...game.boards.map((one, index) => make("option", { value: index, selected: one === board }, t(one.label))));
  const own = make("span", { class: "nav-own" },
    ...(chosenGame ? [chosenGame] : []),
    chosenBoard,
    make("button", { type: "button", class: "small quiet", id: "language", lang: language === "de" ? "en" : "de", onclick: () => { kept.set("language", language === "de" ? "en" : "de"); setLanguage(language === "de" ? "en" : "de"); drawFrame(); draw(); by("language").focus(); } }, language === "de" ? "English" : "Deutsch"),
    make("button", { type: "button", class: "small quiet", id: "theme", "aria-label": t({ auto: _("Theme: as the device"), light: _("Theme: light"), dark: _("Theme: dark") }[theme]), onclick: () => { kept.set("theme", nextTheme); setTheme(nextTheme); drawFrame(); by("theme").focus(); } }, { auto: "◐", light: "☀", dark: "☾" }[theme]),
  );
  by("nav").replaceChildren(own);
  by("nav").setAttribute("aria-label", t("Settings"));
  by("steps").setAttribute("aria-label", t("Positions in this game"));
  by("players").replaceChildren(...board.players.map((_, number) => seatOf(number)));
  by("players").classList.toggle("are-two", board.players.length === 2);
  replace(by("tools"), [rulesDrawer(), viewDrawer(), recordDrawer()]);
  draw();
}

function chip(number) {
  const holder = make("span");
  holder.innerHTML = `<svg class="chip" viewBox="-20 -20 40 40" aria-hidden="true"><use href="#board-stone-${number}"/></svg>`;
  return holder;
}

function seatOf(number) {
  const levels = game.levels.map((one, index) => make("option", { value: index + 1, disabled: !isPlayable(one) }, t("Bot: level {level}", { level: index + 1 })));
  const chosen = make("select", { id: `seat-${number}`, "aria-label": t("{player} is played by", { player: player(number) }), onchange: ({ target }) => { seats[number] = Number(target.value); settle(); } }, make("option", { value: 0 }, t("Person")), ...levels);
  return make("li", { class: "player" }, chip(number), make("span", { class: "who" }, make("b", {}, named(number)), chosen), make("span", { class: "score" }, make("span", { class: "visually-hidden" }, t("Score:")), make("span", { class: "value" }, "0")));
}

function drawer(id, title, ...children) {
  return make("details", { class: "drawer", id, name: "drawer" }, make("summary", {}, t(title)), make("div", { class: "drawer-content", tabindex: "0", role: "region", "aria-label": t(title) }, ...children));
}

function rulesDrawer() {
  const { html, language: written } = game.rules[language] ?? game.rules.en;
  const article = make("article", { class: "drawer-text prose", lang: written });
  article.innerHTML = html;
  return drawer("rules", _("Rules"), article);
}

function viewDrawer() {
  const toggle = (id, title, isOn, change) => make("label", { class: "switch" }, make("input", { type: "checkbox", id, checked: isOn, onchange: ({ target }) => { change(target.checked); draw(); } }), make("span", {}, title));
  const overlays = engine.calls.mark_places ? [...new Map(game.overlays.map((one) => [one.name, one])).values()] : [];
  const switches = overlays.map(({ name, title }) => toggle(`overlay-${name}`, t(title), shownOverlays().includes(name), (isOn) => kept.set(`overlays.${game.name}`, JSON.stringify([...shownOverlays().filter((one) => one !== name), ...(isOn ? [name] : [])]))));
  return drawer("view", _("View"), make("div", { class: "stack tight" }, ...switches, toggle("dotted", t("Mark legal moves with dots"), isDotted(), (isOn) => kept.set(`dots.${game.name}`, isOn ? "on" : "off"))));
}

function recordDrawer() {
  const button = (id, title, act) => make("button", { type: "button", class: "button small", id, onclick: act }, t(title));
  const file = make("label", { class: "button small file" }, t("Open a file"), make("input", { type: "file", id: "open", accept: ".json,.sgf", onchange: async ({ target }) => { const [chosen] = target.files; if (chosen) await open(await chosen.text()); target.value = ""; } }));
  const copied = make("p", { class: "fine", role: "status" });
  const link = () => `${location.href.split("#")[0]}#record=${encodeURIComponent(JSON.stringify(record()))}`;
  const copy = async () => {
    history.replaceState(null, "", link());
    await navigator.clipboard?.writeText(link()).catch(() => {});
    copied.textContent = t("The link in the address bar now contains this game.");
  };
  return drawer("record", _("Record"), make("div", { class: "row" },
    button("save-json", _("Save as JSON"), () => save(writeJson(record()), "json")),
    ...(board.spelled ? [button("save-sgf", _("Save as SGF"), () => save(sgf(), "sgf"))] : []),
    file,
    button("copy-link", _("Copy link"), copy)), copied);
}

const { clicked, forget } = tapper(touch);
document.addEventListener("click", () => forget, true);
listenToTargets("#board .target", {
  clicked,
  pressed(key, target) {
    if (key === "Enter" || key === " ") touch(target);
    else if (key === "Backspace") undo();
    else if (key === "PageUp") go(at - 1);
    else if (key === "PageDown") go(at + 1);
    else if (key === "Home") go(0);
    else if (key === "End") go(actions.length);
    else return false;
    return true;
  },
});
document.addEventListener("toggle", ({ target }) => target.open && target.scrollIntoView({ block: "nearest" }), true);
by("analyse").addEventListener("click", () => { isAnalysing = !isAnalysing; settle(); });
by("owners").addEventListener("click", () => { [showsOwners, isAnalysing] = [!(isAnalysing && showsOwners), true]; settle(); });

begin();
