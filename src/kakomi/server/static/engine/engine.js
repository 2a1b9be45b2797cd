// A game in the browser: its rules and its search, compiled to WebAssembly (docs/web.md). The same file serves the site,
// exported pages, and the workers of both.
//
// A program (`kakomi.web.program_of`) describes one board: the addresses of arrays, what they hold at first (`segments`,
// pairs of an address and bytes), and argument blocks of calls.

const PAGE = 1 << 16;
const OVER = 256; // added to the player to act in the status of a finished game
const NOBODY = -1;
const DRAWN = -2;
const ROOT = 0;
const FOLLOWED = 10; // the number of best lines with a continuation
const DRAWS = 2 ** 30;
const NETWORK = "network";
export const PLAYOUTS = 1024; // whole slices
const CLEAR = 0.55; // the least share of playouts in which a stone is lost that is shown as such

/** An error with a reason that pages translate: "unsupported", "damaged" or "memory". */
export class EngineError extends Error {
  constructor(reason, cause) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** Read what `kakomi.web.pages` joined: a header, as JSON, and parts that it refers to by offset and length. */
export function unpacked(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { ...data, part: ([at, size]) => bytes.slice(4 + length + at, 4 + length + at + size) };
}

/** The player who leads by most, with the lead and its spread as texts. */
export function leader({ leads }, language) {
  const player = leads.reduce((best, { lead }, index) => (lead > leads[best].lead ? index : best), 0);
  const { lead, spread } = leads[player];
  const written = (number) => number.toLocaleString(language, { maximumFractionDigits: spread < 2 ? 1 : 0 });
  return { player, lead: written(lead), spread: written(spread) };
}

/**
 * The marks of `Engine.owners`: a shade on each point for its likeliest owner, the deeper the likelier, and a square on each
 * stone that may be lost.
 */
export function ownerMarks({ shares, stones }, points) {
  return points.flatMap((at, index) => {
    const share = Math.max(...shares[index]);
    const player = shares[index].indexOf(share);
    const strength = (share * shares[index].length - 1) / (shares[index].length - 1);
    const mark = { at, player, share, owner: stones[index] < 0 ? "-" : stones[index] };
    if (strength <= 0) return [];
    const isLost = share >= CLEAR && stones[index] >= 0 && stones[index] !== player;
    return [{ kind: "heat", strength, ...mark }, ...(isLost ? [{ kind: "square", ...mark }] : [])];
  });
}

/** Compile a module. Throws EngineError. */
export async function compile(bytes) {
  if (typeof WebAssembly !== "object" || typeof BigInt !== "function") throw new EngineError("unsupported");
  const isModule = bytes[0] === 0 && bytes[1] === 97 && bytes[2] === 115 && bytes[3] === 109;
  if (!isModule) throw new EngineError("damaged");
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new EngineError(error instanceof RangeError ? "memory" : "damaged", error);
  }
}

/** A module with a board in its memory; `end` is how much of it is needed, which is less without a search. */
export class Engine {
  static async start(module, { description, segments }, end = description.end) {
    const engine = new Engine();
    Object.assign(engine, description, { programEnd: end });
    try {
      const { exports } = await WebAssembly.instantiate(module, {});
      if (exports.__heap_base.value > description.base) throw new EngineError("damaged");
      engine.exports = { game: exports };
    } catch (error) {
      throw error instanceof EngineError ? error : new EngineError(error instanceof RangeError ? "memory" : "damaged", error);
    }
    engine.grow(end);
    engine.write(segments);
    if (end === description.end) for (const name of description.setup) engine.call(name);
    return engine;
  }

  /** Add the network's evaluator, which shares the memory. */
  async addNetwork(module, segments) {
    const { exports } = await WebAssembly.instantiate(module, { env: { memory: this.exports.game.memory } });
    this.exports.network = exports;
    this.write(segments);
    for (const name of this.network_setup) this.call(name);
  }

  grow(end) {
    const { memory } = this.exports.game;
    const missing = end - memory.buffer.byteLength;
    try {
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    } catch (error) {
      throw new EngineError("memory", error);
    }
    this.view = new DataView(memory.buffer);
    this.bytes = new Uint8Array(memory.buffer);
  }

  write(segments) {
    for (const [at, data] of segments) if (at + data.length <= this.programEnd) this.bytes.set(data, at);
  }

  /** Call a function, with other numbers for some parameters. Returns a number. */
  call(name, numbers = {}) {
    const { function: does, block, numbers: at } = this.calls[name];
    const exported = this.exports.game[does] ?? this.exports.network[does];
    for (const [parameter, value] of Object.entries(numbers)) this.view.setBigInt64(at[parameter], BigInt(value), true);
    return Number(exported(block));
  }

  /** The element of a record's field, in an array of records. */
  field(array, name, index = 0, element = 0) {
    const { at, type } = this.arrays[array];
    const { size, fields } = this.records[type];
    const [offset, kind] = fields[name];
    return this.read(kind, at + index * size + offset, element);
  }

  element(array, index = 0) {
    return this.read(this.arrays[array].type, this.arrays[array].at, index);
  }

  set(array, index, value) {
    this.view.setBigInt64(this.arrays[array].at + 8 * index, BigInt(value), true);
  }

  fill(array, start = 0, end = Infinity) {
    const { at, shape, type } = this.arrays[array];
    const length = shape.reduce((product, one) => product * one, Number(type.slice(2)));
    this.bytes.fill(0, at + start, at + Math.min(end, length));
  }

  read(type, at, element = 0) {
    const width = Number(type.slice(2));
    const from = at + element * width;
    if (type === "<i8") return Number(this.view.getBigInt64(from, true));
    const kind = { i: "Int", u: "Uint", f: "Float" }[type[1]];
    return this.view[`get${kind}${8 * width}`](from, true);
  }

  // The rules. A position is its state in bytes, with the player to act and whether the game is over.

  start() {
    return this.position("state", this.call("begin"));
  }

  position(array, status) {
    const { at, type } = this.arrays[array];
    return { state: this.bytes.slice(at, at + this.records[type].size), toMove: status % OVER, isOver: status >= OVER };
  }

  put(position, array = "state") {
    this.bytes.set(position.state, this.arrays[array].at);
  }

  /** The numbers of the legal actions, ascending. */
  legal(position) {
    this.put(position);
    return Array.from({ length: this.call("list_legal") }, (_, index) => this.element("actions", index));
  }

  /** The position after an action; null if it is illegal. */
  play(position, action) {
    this.put(position);
    const status = this.call("advance", { action });
    return status < 0 ? null : this.position("successor", status);
  }

  /** The position after several actions from the start; null if one is illegal. */
  replay(actions) {
    return actions.reduce((position, action) => position && this.play(position, action), this.start());
  }

  scores(position) {
    this.put(position);
    this.call("count_scores");
    return Array.from({ length: this.players }, (_, player) => this.element("scores", player));
  }

  /** The piece on each point; negative numbers for none. */
  stones(position) {
    this.put(position);
    return Array.from({ length: this.points }, (_, point) => this.field("state", "stones", 0, point));
  }

  /** Why an action is illegal: the index of a reason, and the numbers in it. */
  reason(position, action) {
    this.put(position);
    const index = this.call("find_reason", { action });
    return { index, count: this.element("numbers", 0), needed: this.element("numbers", 1) };
  }

  /**
   * Each player's share of playouts in which it owns each point at the end, the players' leads with their spreads
   * (`kakomi.analysis.ownership`), and the owner of each point's stone now; negative numbers for none.
   */
  owners(position, seed) {
    const { owned, found } = this.arrays;
    const [points, players] = owned.shape;
    this.fill("owned");
    this.view.setBigUint64(this.arrays.rng.at, mixed(seed), true);
    this.put(position);
    const numbered = (count, from) => Array.from({ length: count }, (_, index) => from(index));
    const leads = numbered(players, () => ({ sum: 0, squares: 0 }));
    for (let played = 0; played < PLAYOUTS; played += found.shape[0]) {
      this.call("own_playouts");
      for (let row = 0; row < found.shape[0]; row++) {
        const scores = numbered(players, (player) => this.element("found", players * row + player));
        for (const [player, lead] of leads.entries()) {
          const by = scores[player] - Math.max(...scores.filter((_, other) => other !== player));
          lead.sum += by;
          lead.squares += by * by;
        }
      }
    }
    const spread = (mean, squares) => this.lead_spread * Math.sqrt(Math.max(0, squares / PLAYOUTS - mean * mean));
    return {
      leads: leads.map(({ sum, squares }) => ({ lead: sum / PLAYOUTS, spread: spread(sum / PLAYOUTS, squares) })),
      shares: numbered(points, (point) => numbered(players, (player) => this.element("owned", players * point + player) / PLAYOUTS)),
      stones: numbered(points, (point) => this.field("state", "stones", 0, point)).map((piece) => (piece < 0 ? piece : piece % players)),
    };
  }

  /** The numbers of the marks of each overlay at each place; empty if the game has none. */
  marks(position) {
    if (!this.calls.mark_places) return [];
    this.put(position);
    this.call("mark_places");
    const { shape: [overlays, places] } = this.arrays.marks;
    const all = Array.from({ length: overlays * places }, (_, index) => this.element("marks", index));
    return Array.from({ length: overlays }, (_, overlay) => all.slice(overlay * places, (overlay + 1) * places));
  }
}

// The search: the same steps as `kakomi.search.search`, so that equal seeds and limits give equal results.

/** A search from one position. Its tree goes on growing with every run. */
export class Search {
  constructor(engine) {
    this.engine = engine;
  }

  /** Search a position, or the one after some actions from the start. `kind` names the search in the program. */
  begin(from, kind, seed = 0) {
    const { engine } = this;
    this.kind = kind;
    this.root = Array.isArray(from) ? engine.replay(from) : from;
    if (!this.root || this.root.isOver) throw new Error("there is nothing to search");
    this.clear(seed);
    this.simulations = 0;
    const winning = engine.kinds[kind].use_proofs ? this.winning() : null;
    this.run(1);
    const child = winning === null ? undefined : this.children(ROOT).find((one) => this.node("action", one) === winning);
    if (child !== undefined) for (const node of [ROOT, child]) this.setWinner(node, this.node("player", child));
  }

  /** Run simulations, fewer if the result is proven. Returns whether it is. */
  run(n) {
    const { engine } = this;
    engine.put(this.root);
    for (let left = n; left > 0; ) {
      const made = engine.call(`search.${this.kind}`, { n: left });
      this.simulations += made;
      left -= made;
      if (this.kind === NETWORK && engine.element("pause")) engine.call("evaluate");
      else break;
    }
    return this.isProven;
  }

  get isProven() {
    return this.node("winner", ROOT) !== NOBODY;
  }

  clear(seed) {
    const { engine } = this;
    const { at, type } = engine.arrays.nodes;
    engine.fill("sums", 0, 8 * engine.players * Math.max(1, engine.element("header")));
    [1, 0, 0].forEach((value, index) => engine.set("header", index, value));
    engine.bytes.fill(0, at, at + engine.records[type].size);
    this.setWinner(ROOT, NOBODY);
    engine.set("clock", 0, 1);
    engine.fill("last_played");
    if (engine.arrays.pause) engine.fill("pause");
    this.random = mixed(seed);
    engine.view.setBigUint64(engine.arrays.rng.at, this.random, true);
  }

  /** The first action of a turn that wins at once, or null. */
  winning() {
    const { engine } = this;
    engine.put(this.root, "win_states");
    return engine.call("find_win") ? engine.element("win_actions", engine.element("win_tried") - 1) : null;
  }

  node(name, index) {
    return this.engine.field("nodes", name, index);
  }

  setWinner(node, winner) {
    const { arrays, records, view } = this.engine;
    const { size, fields } = records[arrays.nodes.type];
    view.setInt16(arrays.nodes.at + node * size + fields.winner[0], winner, true);
  }

  children(node) {
    const first = this.node("first_child", node);
    return Array.from({ length: this.node("children", node) }, (_, index) => first + index);
  }

  /** The children of a node that were visited or win for certain, best first. */
  ranked(node) {
    const found = this.children(node).map((child) => {
      const [player, winner, visits] = ["player", "winner", "visits"].map((name) => this.node(name, child));
      const value = this.sum(child, player) / Math.max(visits, 1);
      const loses = ![NOBODY, DRAWN, player].includes(winner);
      return { child, action: this.node("action", child), visits, value, wins: winner === player, loses };
    });
    return found
      .filter(({ visits, wins }) => visits > 0 || wins)
      .sort((a, b) => b.wins - a.wins || a.loses - b.loses || b.visits - a.visits || b.value - a.value || a.action - b.action);
  }

  sum(node, player) {
    return this.engine.element("sums", node * this.engine.players + player);
  }

  /** Each player's expected share of the win. */
  chances(node) {
    const winner = this.node("winner", node);
    const { players, kinds } = this.engine;
    const shares = Array.from({ length: players }, (_, player) => {
      if (winner === DRAWN) return 1 / players;
      if (winner !== NOBODY) return winner === player ? 1 : 0;
      return Math.min(1, Math.max(0, this.sum(node, player) / this.node("visits", node)));
    });
    const { sharpness } = kinds[this.kind];
    if (sharpness === 1) return shares;
    const weights = shares.map((share) => share ** sharpness);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  }

  principal(node) {
    const actions = [];
    for (let [best] = [{ child: node, action: this.node("action", node) }]; best; [best] = this.ranked(best.child)) actions.push(best.action);
    return actions;
  }

  report(most = FOLLOWED) {
    const lines = this.ranked(ROOT).map(({ child, value, ...line }, place) => ({
      ...line,
      chances: this.chances(child),
      principal: place < most ? this.principal(child) : [line.action],
    }));
    return { toMove: this.root.toMove, simulations: this.simulations, chances: this.chances(ROOT), lines, isProven: this.isProven };
  }

  /** The action of a bot: the best one, or with a temperature drawn by visits (`SearchBot`). */
  choose({ lines }, temperature) {
    if (temperature === 0 || lines[0].wins) return lines[0].action;
    const open = lines.filter(({ loses }) => !loses);
    const among = open.length ? open : lines;
    const most = Math.max(...among.map(({ visits }) => visits));
    let sum = 0;
    const bounds = among.map(({ visits }) => (sum += (visits / most) ** (1 / temperature)));
    const at = (this.draw(DRAWS) / DRAWS) * sum;
    return among[bounds.findIndex((bound) => bound > at)].action;
  }

  // Random numbers as in `kakomi.kernel.random`: one generator for simulations, in memory, and one for choices.

  draw(n) {
    this.random ^= BigInt.asUintN(64, this.random << 13n);
    this.random ^= this.random >> 7n;
    this.random ^= BigInt.asUintN(64, this.random << 17n);
    return Number(((this.random >> 32n) * BigInt(n)) >> 32n);
  }
}

function mixed(seed) {
  let z = BigInt.asUintN(64, BigInt(seed) + 0x9e3779b97f4a7c15n);
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  z ^= z >> 31n;
  return z || 1n;
}
