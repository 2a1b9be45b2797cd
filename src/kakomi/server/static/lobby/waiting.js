// On all other pages, while somebody waits for an opponent: their seek stays open, and they are told when one comes.

import { sound } from "../boardview/sounds.js";
import { KEPT, listenTo } from "./stream.js";

const LONGEST = 20 * 60 * 1000; // milliseconds; no live seek waits for so long
const note = document.getElementById("come");
const [since, after] = (localStorage.getItem(KEPT) ?? "0 0").split(" ");

if (note && !document.getElementById("lobby") && Number(since) > Date.now() - LONGEST) {
  const { events, here } = note.dataset;
  const token = () => note.querySelector("[name=csrfmiddlewaretoken]").value;
  const address = () => `${events}?${new URLSearchParams({ mine: "", after })}`;
  const game = ({ address }) => {
    localStorage.removeItem(KEPT);
    if (location.pathname === address) return;
    note.querySelector("a").href = address;
    note.hidden = false;
    sound("ended");
  };
  listenTo(address, here, token, { game }, () => true);
}
