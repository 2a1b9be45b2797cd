// The engine in the visitor's browser: a worker that searches. A page that may use it has an element `device` with the
// addresses of its files. What it is asked comes from the server (`device_question`).

import { PLAYOUTS, unpacked } from "./engine.js";

const PATIENCE = 20000; // milliseconds

const addresses = document.getElementById("device")?.dataset;

let options = ""; // of the board for which the files are
let files = null;
let worker = null;
let search = 0; // the number of the current search
let isBroken = false;

export const canSearchHere = () => Boolean(addresses) && !isBroken && typeof WebAssembly === "object";

/** Start the worker for a board. Returns the program; throws if this browser can't. */
export async function prepareHere(wanted = addresses.options) {
  if (options !== wanted) {
    endHere();
    [options, files] = [wanted, null];
  }
  try {
    files ??= fetched();
    const { program, modules } = await files;
    worker ??= started(program, modules);
    await worker.ready;
    return program;
  } catch (error) {
    breakDown();
    throw error;
  }
}

/**
 * Answer a question, instead of the one before. Calls `tell(report, program)` now and then, at last with `isDone`, and
 * `fail` if this browser can't.
 */
export async function searchHere(question, { tell, fail }) {
  let mine = ++search;
  try {
    const preparing = prepareHere(String(new URLSearchParams(question.options)));
    mine = search; // another board ends a search
    const program = await preparing;
    if (mine !== search) return;
    worker.heard = (data) => {
      if (data.kind === "failed") fail();
      else if (data.id === search) tell(data, program);
    };
    worker.postMessage({ kind: "search", id: mine, ...question });
  } catch {
    if (mine === search) fail();
  }
}

/** The same as a promise of the last report; null if there is none. */
export const foundHere = (question, tell = () => {}) =>
  new Promise((found) => {
    const heard = (report) => (report.isDone ? found(report) : tell(report));
    searchHere(question, { tell: heard, fail: () => found(null) });
  });

/** A report as the server reads it, with its best line, and the likely owners if they were asked for. */
export function reported({ toMove, simulations, seconds, chances, isProven, lines: [best], owners }) {
  const returns = (shares) => shares.map((share) => (shares.length * share - 1) / (shares.length - 1));
  const { action, visits, wins, loses, principal } = best;
  const line = { action, visits, wins, loses, principal, returns: returns(best.chances) };
  const report = { to_move: toMove, simulations, seconds, returns: returns(chances), is_proven: isProven, lines: [line] };
  if (!owners) return report;
  const [lead, spread] = ["lead", "spread"].map((name) => owners.leads.map((each) => each[name]));
  return { ...report, owner: owners.shares, lead, spread, playouts: PLAYOUTS };
}

/** Stop the search. */
export function stopHere() {
  search++;
  worker?.postMessage({ kind: "stop" });
}

/** Stop, and free the memory. */
export function endHere() {
  search++;
  worker?.terminate();
  worker = null;
}

function breakDown() {
  isBroken = true;
  worker?.terminate();
  worker = null;
}

async function fetched() {
  const files = [`${addresses.program}?${options}`, addresses.module, addresses.network];
  const [program, ...modules] = await Promise.all(files.map(bytesOf));
  return { program: unpacked(program), modules };
}

async function bytesOf(address) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

function started(program, [module, network]) {
  const contents = (segments) => segments?.map(([at, part]) => [at, program.part(part)]);
  const { description, segments, networkSegments } = program;
  const begun = new Worker(addresses.worker, { type: "module" });
  begun.ready = new Promise((ready, fail) => {
    begun.onmessage = ({ data }) => {
      if (data.kind === "ready") return ready();
      if (data.kind === "failed") begun.onerror();
      else begun.heard?.(data);
    };
    begun.onerror = () => {
      if (worker === begun) breakDown();
      fail(new Error("the worker failed"));
      begun.heard?.({ kind: "failed" });
    };
  });
  const memory = { description, segments: contents(segments), networkSegments: contents(networkSegments) };
  begun.postMessage({ kind: "load", module, network: networkSegments && network, program: memory });
  return begun;
}
