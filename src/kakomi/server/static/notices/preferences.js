// The page of notification settings: push for this browser.

import { token } from "../site.js";

const button = document.getElementById("take-push");
if (button && "serviceWorker" in navigator && "PushManager" in globalThis) {
  button.hidden = false;
  button.addEventListener("click", () => subscribe().catch(refuse));
} else if (button) {
  refuse();
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return refuse();
  const { worker, key, address } = button.dataset;
  const registration = await navigator.serviceWorker.register(worker);
  await navigator.serviceWorker.ready;
  const known = await registration.pushManager.getSubscription();
  await known?.unsubscribe(); // it may belong to somebody else, with messages pending
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  const label = navigator.userAgentData?.platform ?? navigator.platform ?? "";
  const old = known?.endpoint ?? "";
  const body = { url: endpoint, public: keys.p256dh, secret: keys.auth, label, old, csrfmiddlewaretoken: token() };
  const answer = await fetch(address, { method: "POST", body: new URLSearchParams(body) });
  const { wrong } = await answer.json();
  if (wrong) say(wrong);
  else location.reload();
  return null;
}

function refuse() {
  say(button.dataset.impossible);
}

function say(text) {
  document.getElementById("push-said").textContent = text;
}
