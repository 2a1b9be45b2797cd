// Switches of this device: sounds, plans and notifications. The browser keeps them, the site doesn't know of them.

import { areOn, switchSounds } from "../boardview/sounds.js";
import { notifies, switchNotifications } from "./attention.js";
import { onKey } from "./keys.js";
import { mention } from "./notices.js";
import { plansAreOn, switchPlans } from "./plan.js";

export function listenToSwitches() {
  const [sounds, plans, notifications] = ["sounds", "plans", "notifications"].map((id) => document.getElementById(id));
  sounds.checked = areOn();
  plans.checked = plansAreOn();
  notifications.checked = notifies();
  sounds.addEventListener("change", () => switchSounds(sounds.checked));
  plans.addEventListener("change", () => switchPlans(plans.checked));
  notifications.addEventListener("change", async () => {
    notifications.checked = await switchNotifications(notifications.checked);
  });
  onKey("s", () => {
    sounds.click();
    mention(sounds.checked ? "audible" : "silent");
  });
}
