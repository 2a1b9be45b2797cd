// The analysis board.

import { started } from "../boardview/board.js";
import { Fragments } from "../boardview/fragments.js";
import { listenToBoard } from "./board.js";
import { listenToForms } from "./editing.js";
import { follow, whenShown } from "./page.js";
import { listenToSteps, markPlot } from "./steps.js";

const SECOND = 1000;

whenShown(follow);
listenToForms();
listenToSteps();
listenToBoard();
for (const extra of [import("../boardview/menus.js"), import("../copy.js")]) extra.catch(reportError);
import("./engine.js").then(
  ({ listenToEngine }) => listenToEngine(),
  (error) => {
    document.getElementById("engine-switch").disabled = true;
    document.getElementById("engine-state").textContent = document.getElementById("engine").dataset.missing;
    reportError(error);
  },
);

// The analysis of the game shows itself anew while it goes on, and when the study was changed.
const analysis = new Fragments("game-analysis");
const look = () => analysis.ask(analysis.element.dataset.address);
analysis.whenShown(markPlot);
setInterval(() => "running" in analysis.element.dataset && look(), SECOND);
whenShown((shown, before) => before && before.version !== shown.dataset.version && look());
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "analysis-form") return;
  event.preventDefault();
  analysis.ask(form.action, { method: "POST", body: new FormData(form, event.submitter) });
});
started();
