// Shows what is pushed, though no page of the site is open, and opens the page that it leads to.

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

// The browser has changed its subscription by itself: the site hears of it, as long as this session goes on.
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
