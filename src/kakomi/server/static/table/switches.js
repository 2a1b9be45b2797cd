// Switches of this device: sounds, premoves and notifications. The browser keeps them, the site doesn't know of them.

import { areOn, switchSounds } from "../boardview/sounds.js";
import { notifies, switchNotifications } from "./attention.js";
import { onKey } from "./keys.js";
import { mention } from "./saying.js";
import { premovesAreOn, switchPremoves } from "./premove.js";

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
