// The page on which people play: what happens once, and what happens whenever the table is shown anew.

import "../copy.js";
import { clearPreview, listenForPreviews } from "../boardview/preview.js";
import { drawAttention } from "./attention.js";
import { listenToBoard, settleBoard } from "./board.js";
import { startClocks } from "./clocks.js";
import { follow, listenToCoach } from "./coach.js";
import { listenToDrawers } from "./drawers.js";
import { connect } from "./events.js";
import { showEffects } from "./effects.js";
import { listenToForms } from "./forms.js";
import { listenToGraph } from "./graph.js";
import { listenToSteps, markMoment, sayNews } from "./history.js";
import { listenToKeys } from "./keys.js";
import { listenToRules, markRule } from "./rules.js";
import { say, table, whenShown } from "./swap.js";
import { listenToSwitches } from "./switches.js";

whenShown(drawAttention);
whenShown(startClocks);
whenShown(settleBoard);
whenShown(markMoment);
whenShown(sayNews);
whenShown(say);
whenShown(showEffects);
whenShown(markRule);
whenShown(clearPreview);
whenShown(follow);
listenToBoard();
listenToCoach();
listenToDrawers();
listenToForms();
listenToGraph();
listenToRules();
listenToSteps();
listenToKeys();
listenForPreviews("#board .target", () => {
  const { address, entries, playing } = table().dataset;
  const { seen } = document.getElementById("command").elements;
  return playing === undefined ? "" : `${address}/effects?${new URLSearchParams({ entries, seen: seen.value })}`;
});
listenToSwitches();
connect();
