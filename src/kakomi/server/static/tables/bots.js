// Bots of a casual game against bots alone, which think in this browser. If it doesn't answer, the server does.

import { canSearchHere, endHere, prepareHere, searchHere, stopHere } from "../engine/device.js";
import { haveEngine, table } from "./page.js";
import { decide } from "./sending.js";

let asked = "";

export async function listenToEngine() {
  addEventListener("pagehide", endHere);
  if (canSearchHere()) await prepareHere().then(() => haveEngine(true), sayWhere);
}

/** Answer the question on the page, once. */
export function letBotsThink(shown) {
  sayWhere();
  const { decides = "" } = shown.dataset;
  if (decides === asked) return;
  if (asked) stopHere();
  asked = decides;
  if (!decides || !canSearchHere()) return;
  const question = JSON.parse(decides);
  const form = document.getElementById("command");
  const answer = (choice) => asked === decides && decide(form, choice, table().dataset.entries);
  searchHere(question, {
    tell({ isDone, swaps, action, simulations }, { actions }) {
      if (isDone) return answer(swaps ? "swap" : actions[action].text);
      const bar = table().querySelector("[data-thinking]");
      if (bar) bar.value = simulations / question.simulations;
    },
    fail() {
      haveEngine(false);
      sayWhere();
      answer("");
    },
  });
}

/** Say where bots think. */
function sayWhere() {
  for (const place of table().querySelectorAll("[data-engine]")) {
    const words = canSearchHere() ? place.dataset.device : place.dataset.server;
    if (place.textContent !== words) place.textContent = words;
  }
}
