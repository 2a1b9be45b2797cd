// Records as JSON and SGF, as `kakomi.records` reads and writes them; of a tree of turns, the main line.

import { _ } from "./data.js";

const VERSION = 1;
const COLOURS = ["B", "W"];

/** An error in a record, in words that pages translate. */
export class RecordError extends Error {}

/** Write a record as JSON: one line per field and per turn. */
export function writeJson(record) {
  const lines = Object.entries(record).map(([name, value]) => `  "${name}": ${name === "turns" ? lists(value) : inLine(value)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

const lists = (turns) => (turns.length ? `[\n${turns.map((turn) => `    ${inLine(turn)}`).join(",\n")}\n  ]` : "[]");

/** JSON in one line, with a space behind each comma and colon. */
function inLine(value) {
  if (Array.isArray(value)) return `[${value.map(inLine).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${inLine(one)}`).join(", ")}}`;
}

/** Read a record from a text, JSON or SGF: `game`, `options`, `seats` and `turns`. Throws RecordError. */
export function readRecord(text, boards) {
  const record = text.trimStart().startsWith("{") ? parsed(text) : readSgf(text, boards);
  if (record.kakomi_record !== VERSION || typeof record.game !== "string") throw new RecordError(_("This isn’t a game record."));
  if (record.position) throw new RecordError(_("Games from a custom position can’t be opened here."));
  return { ...record, turns: mainLine(record.turns ?? []) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new RecordError(_("This isn’t a game record."));
  }
}

/** The turns of the game itself, without variations. */
function mainLine(turns) {
  const followers = new Map();
  turns.forEach((turn, index) => {
    const before = turn.after ?? index;
    if (!followers.has(before)) followers.set(before, index + 1);
  });
  const line = [];
  for (let number = followers.get(0); number; number = followers.get(number)) line.push(turns[number - 1]);
  return line;
}

/** Write a record as SGF. `spelled` has SGF's spelling of each action's text. */
export function writeSgf(record, { title, version, size, komi, number, spelled }) {
  const escaped = (value) => String(value).replace(/[\\\]]/g, "\\$&");
  const { turns, result, seats, ...rest } = record;
  const root = {
    FF: 4, CA: "UTF-8", AP: `Kakomi:${version}`, ...(number && { GM: number }), SZ: size, RU: title,
    PB: seats[0].name, PW: seats[1].name, ...(komi !== undefined && { KM: komi }), RE: resultOf(result),
    KAKOMI: inLine({ ...rest, seats: seats.map(({ bot }) => (bot ? { bot } : {})) }),
  };
  const head = Object.entries(root).map(([name, value]) => (value === undefined ? "" : `${name}[${escaped(value)}]`)).join("");
  const moves = turns.flatMap(({ player, actions }) => actions.map((action) => `;${COLOURS[player]}[${escaped(spelled[action])}]`));
  return `(;${head}\n${moves.join("").replace(/(.{60,79})(?=;)/g, "$1\n")})\n`;
}

function resultOf(result) {
  if (!result) return "?";
  if (result.winners.length > 1) return "0";
  return `${COLOURS[result.winners[0]]}+${Math.abs(result.scores[0] - result.scores[1])}`;
}

/** Read the first line of an SGF file; `boards` are those of the game, if the file doesn't name one. */
function readSgf(text, boards) {
  const nodes = firstLine(text);
  const value = (name) => nodes[0]?.find(([key]) => key === name)?.[1];
  const given = value("KAKOMI");
  const board = boards.find(({ options }) => String(options.size) === value("SZ")) ?? boards[0];
  const record = given ? parsed(given) : { kakomi_record: VERSION, game: board.game, options: board.options };
  const own = boards.find(({ game, options }) => game === record.game && sameOptions(options, record.options ?? {})) ?? board;
  if (!own.spelled) throw new RecordError(_("This isn’t a game record."));
  const meanings = Object.fromEntries(Object.entries(own.spelled).map(([action, spelling]) => [spelling, action]));
  const turns = [];
  for (const node of nodes) {
    for (const [name, spelling] of node) {
      const player = COLOURS.indexOf(name);
      if (player < 0) continue;
      const action = meanings[spelling] ?? (spelling === "tt" ? meanings[""] : undefined);
      if (action === undefined) throw new RecordError(_("This record contains an illegal move."));
      if (turns.at(-1)?.player === player) turns.at(-1).actions.push(action);
      else turns.push({ player, actions: [action] });
    }
  }
  const seats = record.seats ?? [{}, {}];
  return { ...record, seats: seats.map((seat, index) => ({ ...seat, name: value(index ? "PW" : "PB") ?? "" })), turns };
}

export const sameOptions = (options, others) => Object.entries(others).every(([name, value]) => options[name] === value);

/** The nodes of an SGF file along its first variations: lists of pairs of a property and its value. */
function firstLine(text) {
  const nodes = [];
  const part = /\s*(?:(\()|(\))|(;)|([A-Za-z]+)\s*(?=\[)|\[((?:[^\\\]]|\\[^])*)\])/y;
  let name = "";
  while (part.lastIndex < text.length) {
    const found = part.exec(text);
    if (!found) break;
    const [, , closes, node, property, value] = found;
    if (closes) break; // the first line ends here
    if (node) nodes.push([]);
    if (property) name = property.replace(/[a-z]/g, "");
    if (value !== undefined) nodes.at(-1)?.push([name, value.replace(/\\(\r\n|[^])/g, (_, one) => (/[\r\n]/.test(one) ? "" : one))]);
  }
  if (!nodes.length) throw new RecordError(_("This isn’t a game record."));
  return nodes;
}
