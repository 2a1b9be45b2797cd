// The analysis board.

import { listenToBoard } from "./board.js";
import { listenToForms } from "./editing.js";
import { listenToEngine } from "./engine.js";
import { address, study, whenShown } from "./page.js";
import { listenToSteps, markPlot } from "./steps.js";

listenToForms();
listenToSteps();
listenToBoard();
listenToEngine();

// The analysis of the game shows itself anew while it goes on, and when the study was changed.
document.addEventListener("htmx:afterSwap", markPlot);
let version = study().dataset.version;
whenShown(() => {
  if (version === study().dataset.version) return;
  version = study().dataset.version;
  htmx.ajax("GET", `${address()}/game-analysis`, { target: "#game-analysis", swap: "outerHTML" });
});
