// What the engine in this browser finds, as the server would send it.

import { put } from "../boards/board.js";
import { leader, ownerMarks } from "../engine/engine.js";

const LINES = 5;
const SHOWN = 12;

const panel = document.getElementById("engine").dataset;
const pattern = document.getElementById("lines-pattern");
const words = pattern.dataset;
const language = document.documentElement.lang;

export function findings(report, { actions, points, signs }) {
  const lines = report.lines.slice(0, LINES);
  const seconds = report.seconds.toFixed(0);
  const state = counted(report.simulations, words.simulation, words.simulations).replace("{seconds}", seconds);
  return {
    lines: drawn(report, lines, actions),
    hints: badges(report, lines, actions, signs.hints),
    owners: report.owners ? likely(report.owners, points, signs) : { areas: "", marks: "" },
    state: report.isProven ? words.solved.replace("{state}", state) : state,
    proof: "",
    solve: panel.solve,
    may_prove_further: Boolean(panel.solve),
  };
}

const counted = (count, one, several) => (count === 1 ? one : several).replace("{count}", count.toLocaleString(language));
const percent = (chance) => (chance > 0 && chance <= 0.005 ? "<1 %" : chance < 1 && chance >= 0.995 ? ">99 %" : `${Math.round(100 * chance)} %`);

/** The findings as HTML: the server's template, filled in. */
function drawn({ toMove, chances, owners }, lines, actions) {
  const filled = pattern.content.cloneNode(true);
  const bars = filled.querySelectorAll("rect");
  const percents = filled.querySelectorAll(".percent");
  let x = 0;
  for (const [player, chance] of chances.entries()) {
    bars[player].setAttribute("x", (100 * x).toFixed(2));
    bars[player].setAttribute("width", (100 * chance).toFixed(2));
    percents[player].textContent = percent(chance);
    x += chance;
  }
  filled.querySelector(".shares").setAttribute("aria-label", [...percents].map((element) => element.parentElement.textContent.trim()).join(", "));
  if (owners) {
    const { player, lead, spread } = leader(owners, language);
    const name = percents[player].previousSibling.textContent.trim();
    filled.querySelector("p.fine").append(` · ${words.lead.replace("{player}", name).replace("{lead}", lead).replace("{spread}", spread)}`);
  }
  const list = filled.querySelector(".lines");
  const sample = list.firstElementChild;
  list.replaceChildren(
    ...lines.map((line) => {
      const item = sample.cloneNode(true);
      const verdict = line.wins ? words.wins : line.loses ? words.loses : "";
      const [first, ...rest] = line.principal.slice(0, SHOWN).map((action) => actions[action].text);
      const move = item.querySelector(".move");
      item.querySelector("b").textContent = percent(line.chances[toMove]);
      if (verdict) item.querySelector(".badge").textContent = verdict;
      else item.querySelector(".badge").remove();
      [move.textContent, move.dataset.play] = [first, first];
      move.after(rest.map((text) => ` ${text}`).join(""));
      item.querySelector(".fine").textContent = counted(line.visits, words.visit, words.visits);
      return item;
    }),
  );
  const holder = document.createElement("div");
  holder.append(filled);
  return holder.innerHTML;
}

/** A badge for each line; where several lines start on the same place, the best one's. The best is drawn last. */
function badges({ toMove }, lines, actions, signs) {
  const found = new Map();
  for (const [rank, { action, chances }] of lines.entries()) {
    const { target } = actions[action];
    if (target === null || target === "" || found.has(target)) continue;
    const label = percent(chances[toMove]).replace(/^100\s/u, "100"); // a badge has room for four characters
    found.set(target, put(signs[Math.min(rank, 1)], target, placeOf(target), label));
  }
  return [...found.values()].reverse().join("");
}

/** Likely owners, drawn in two layers of the board. */
function likely(owners, points, signs) {
  const layers = { areas: "", marks: "" };
  for (const { kind, at, player, owner, strength } of ownerMarks(owners, points))
    for (const [layer, sign] of Object.entries(signs[`${kind} ${player} ${owner}`])) layers[layer] += put(sign, at, placeOf(at), "", strength);
  return layers;
}

function placeOf(name) {
  const place = document.querySelector(`#board .target:is([data-point="${name}"], [data-cell="${name}"])`);
  return { x: Number(place.getAttribute("x")), y: Number(place.getAttribute("y")) };
}
