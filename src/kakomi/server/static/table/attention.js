// One's turn where the page isn't looked at: the window's title and icon, and the browser's notifications for those
// who switch them on.

import { areOn, switchSounds } from "../boardview/sounds.js";
import { mention, onKey } from "./page.js";
import { premovesAreOn, switchPremoves } from "./board.js";

const KEPT = "kakomi.notifications";

const icon = document.querySelector("link[rel=icon]");
const { turnIcon } = document.getElementById("said").dataset;
const plainIcon = icon.getAttribute("href");

let notification = null;

/** Whether notifications are switched on, and allowed by the browser. */
const notifies = () => localStorage.getItem(KEPT) === "on" && globalThis.Notification?.permission === "granted";

/** Switch notifications on or off; whether they are on then. */
async function switchNotifications(on) {
  localStorage.setItem(KEPT, on ? "on" : "off");
  if (on && (await globalThis.Notification?.requestPermission()) !== "granted") mention("forbidden");
  return notifies();
}

/** Title and icon say whose turn it is; a notification says so where nobody looks. */
export function drawAttention(shown, before) {
  const isActing = "acting" in shown.dataset;
  document.title = shown.dataset.title;
  const wanted = isActing ? turnIcon : plainIcon;
  if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
  if (!isActing || !document.hidden) notification?.close();
  if (isActing && before && !("acting" in before) && document.hidden && notifies()) notify(shown);
}

function notify(shown) {
  try {
    notification = new Notification(shown.getAttribute("aria-label"), {
      body: `${shown.dataset.said ?? ""} ${shown.dataset.prompt ?? ""}`.trim(),
      tag: shown.dataset.address,
      icon: turnIcon,
    });
  } catch {
    return; // a phone's browser, which wants a worker for it
  }
  notification.addEventListener("click", () => {
    window.focus();
    notification.close();
  });
}

// Switches of this device: sounds, premoves and notifications. The browser keeps them, the site doesn't know of them.

export function listenToSwitches() {
  const [sounds, premoves, notifications] = ["sounds", "premoves", "notifications"].map((id) => document.getElementById(id));
  sounds.checked = areOn();
  premoves.checked = premovesAreOn();
  notifications.checked = notifies();
  sounds.addEventListener("change", () => switchSounds(sounds.checked));
  premoves.addEventListener("change", () => switchPremoves(premoves.checked));
  notifications.addEventListener("change", async () => {
    notifications.checked = await switchNotifications(notifications.checked);
  });
  onKey("s", () => {
    sounds.click();
    mention(sounds.checked ? "audible" : "silent");
  });
}
