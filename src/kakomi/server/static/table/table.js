// The page on which people play: what happens once, and what happens whenever the table is shown anew.

import { started } from "../boardview/board.js";
import { listenToBoard, settleBoard } from "./board.js";
import { listenToForms } from "./forms.js";
import { listenToSteps, markMoment, sayNews } from "./history.js";
import { listenToKeys } from "./keys.js";
import { connect } from "./live.js";
import { mention } from "./saying.js";
import { say, table, whenShown } from "./swap.js";

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

add(import("../boardview/menus.js"));
add(import("../copy.js"));
add(import("./attention.js"), ({ drawAttention }) => whenShown(drawAttention));
add(import("./clocks.js"), ({ startClocks }) => whenShown(startClocks));
add(import("./effects.js"), ({ showEffects }) => whenShown(showEffects));
add(import("../boardview/preview.js"), ({ clearPreview, listenForPreviews }) => {
  whenShown(clearPreview);
  listenForPreviews("#board .target", effectsHere);
});
add(import("./coach.js"), ({ follow, listenToCoach }) => {
  whenShown(follow);
  listenToCoach();
});
add(import("./drawers.js"), ({ listenToDrawers }) => listenToDrawers());
add(import("./graph.js"), ({ listenToGraph }) => listenToGraph());
add(import("./rules.js"), ({ listenToRules, markRule }) => {
  whenShown(markRule);
  listenToRules();
});
add(import("./switches.js"), ({ listenToSwitches }) => listenToSwitches());

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
