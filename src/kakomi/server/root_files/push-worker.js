// Shows push messages, even if no page of the site is open; a click opens their page.

addEventListener("push", (event) => {
  const { text, url, table } = event.data.json();
  event.waitUntil(registration.showNotification("Kakomi", { body: text, tag: table ?? url, data: url }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

async function open(url) {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => page.url.startsWith(url));
  return there ? there.focus() : clients.openWindow(url);
}

// The browser has changed its subscription: tell the site, which works while the session is valid.
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

async function renew({ oldSubscription, newSubscription }) {
  if (!oldSubscription) return;
  const made =
    newSubscription ??
    (await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: oldSubscription.options.applicationServerKey,
    }));
  const { endpoint, keys } = made.toJSON();
  const body = { old: oldSubscription.endpoint, url: endpoint, public: keys.p256dh, secret: keys.auth };
  const answer = await fetch("/notices/browsers/changed", { method: "POST", body: new URLSearchParams(body) });
  if (answer.status === 404) await made.unsubscribe();
}
