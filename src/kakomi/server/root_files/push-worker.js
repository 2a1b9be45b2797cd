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
