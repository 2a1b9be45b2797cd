// The page on which people play: what happens once, and what happens whenever the table is shown anew.

import "../copy.js";
import { listenToBoard, settleBoard } from "./board.js";
import { startClocks } from "./clocks.js";
import { connect } from "./events.js";
import { listenToForms } from "./forms.js";
import { listenToSteps, markMoment, sayNews } from "./history.js";
import { listenToKeys } from "./keys.js";
import { listenToRules, markRule } from "./rules.js";
import { say, whenShown } from "./swap.js";

whenShown(startClocks);
whenShown(settleBoard);
whenShown(markMoment);
whenShown(sayNews);
whenShown(say);
whenShown(markRule);
listenToBoard();
listenToForms();
listenToRules();
listenToSteps();
listenToKeys();
connect();
