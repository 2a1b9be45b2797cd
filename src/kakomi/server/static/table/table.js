// The page on which people play: what happens once, and what happens whenever the table is shown anew.

import "../copy.js";
import { listenToBoard, settleBoard } from "./board.js";
import { startClocks } from "./clocks.js";
import { markMoment } from "./moves.js";
import { connect } from "./events.js";
import { listenToForms } from "./forms.js";
import { listenToRules, markRule } from "./rules.js";
import { say, whenShown } from "./swap.js";

whenShown(startClocks);
whenShown(settleBoard);
whenShown(markMoment);
whenShown(say);
whenShown(markRule);
listenToBoard();
listenToForms();
listenToRules();
connect();
