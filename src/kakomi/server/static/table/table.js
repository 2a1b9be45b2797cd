// The page on which people play: what happens once, and what happens whenever the table is shown anew.

import { started } from "../boardview/board.js";
import { listenToBoard, settleBoard } from "./board.js";
import { listenToForms } from "./sending.js";
import { listenToKeys, listenToSteps, markMoment, mention, say, sayNews, table, whenShown } from "./page.js";
import { connect } from "./live.js";

whenShown(settleBoard);
whenShown(markMoment);
whenShown(sayNews);
whenShown(say);
listenToBoard();
listenToForms();
listenToSteps();
listenToKeys();
connect();
started();

add(import("../controls.js"));
add(import("./attention.js"), ({ drawAttention, listenToSwitches }) => {
  whenShown(drawAttention);
  listenToSwitches();
});
add(import("./clocks.js"), ({ startClocks }) => whenShown(startClocks));
add(import("../boardview/effects.js"), ({ showEffects }) => whenShown(showEffects));
add(import("../boardview/preview.js"), ({ clearPreview, listenForPreviews }) => {
  whenShown(clearPreview);
  listenForPreviews("#board .target", effectsHere);
});
add(import("./coach.js"), ({ follow, listenToCoach, listenToGraph }) => {
  whenShown(follow);
  listenToCoach();
  listenToGraph();
});
add(import("./drawers.js"), ({ listenToDrawers, listenToRules, markRule }) => {
  listenToDrawers();
  whenShown(markRule);
  listenToRules();
});

/** Start a script that the game goes on without, if it can be loaded. */
async function add(module, start = () => {}) {
  try {
    start(await module);
  } catch (error) {
    mention("incomplete");
    reportError(error);
  }
}

/** Where to ask what each action would do, if any can be played. */
function effectsHere() {
  const { address, entries, playing } = table().dataset;
  const { seen } = document.getElementById("command").elements;
  return playing === undefined ? "" : `${address}/effects?${new URLSearchParams({ entries, seen: seen.value })}`;
}
