// The worker that searches: in slices, so that messages reach it in between. It ends with its page.

import { compile, Engine, EngineError, Search } from "./engine.js";

const SLICE = 20; // milliseconds
const TELL = 100; // milliseconds between reports

let search = null;
let task = null;

const answers = {
  async load({ module, network, program }) {
    const engine = await Engine.start(await compile(module), program);
    if (network) await engine.addNetwork(await compile(network), program.networkSegments);
    search = new Search(engine);
    postMessage({ kind: "ready" });
  },

  /**
   * Search a position: after some `actions`, or the `state` of an array in base64 without zeros at its end.
   * `simulations` or `seconds` limit it; without both, `stop` ends it. With `owners`, reports include those of all points.
   * As on the server, a bot with one legal action doesn't search, and one that may swap first searches for that decision
   * alone.
   */
  search(wanted) {
    task = { ...wanted, started: performance.now(), told: 0, slice: 1 };
    const root = wanted.actions ? search.engine.replay(wanted.actions) : position(wanted);
    if (wanted.owners) task.owners = search.engine.owners(root, wanted.seed);
    search.begin(root, wanted.search ?? search.engine.strongest, wanted.seed);
    if (wanted.level && !wanted.may_swap && search.engine.legal(search.root).length === 1) task.simulations = 1;
    go(task);
  },

  stop() {
    task = null;
  },
};

function position({ state, to_move: toMove }) {
  const { engine } = search;
  const filled = new Uint8Array(engine.records[engine.arrays.state.type].size);
  filled.set(Uint8Array.from(atob(state), (letter) => letter.charCodeAt(0)));
  return { state: filled, toMove, isOver: false };
}

function go(mine) {
  if (mine !== task) return;
  const left = (mine.simulations ?? Infinity) - search.simulations;
  const begun = performance.now();
  const n = Math.min(left, mine.slice);
  const isProven = search.isProven || (n > 0 && search.run(n));
  const now = performance.now();
  mine.slice = Math.max(1, Math.min(4 * mine.slice, Math.floor((n * SLICE) / Math.max(now - begun, 0.01))));
  const isDone = isProven || search.simulations >= (mine.simulations ?? Infinity) || now - mine.started >= 1000 * (mine.seconds ?? Infinity);
  if (isDone && mine.may_swap && search.chances(0)[search.root.toMove] >= 1 / 2) {
    Object.assign(mine, { may_swap: false, simulations: 2 * mine.simulations });
    return setTimeout(go, 0, mine);
  }
  if (isDone || now - mine.told >= TELL) {
    mine.told = now;
    const report = search.report();
    const action = isDone && !mine.may_swap ? search.choose(report, mine.temperature ?? 0) : report.lines[0].action;
    postMessage({ kind: "report", id: mine.id, isDone, swaps: isDone && mine.may_swap, action, seconds: (now - mine.started) / 1000, owners: mine.owners, ...report });
  }
  if (isDone) task = null;
  else setTimeout(go, 0, mine);
}

onmessage = async ({ data }) => {
  try {
    await answers[data.kind](data);
  } catch (error) {
    postMessage({ kind: "failed", reason: error instanceof EngineError ? error.reason : "damaged", words: String(error) });
  }
};
