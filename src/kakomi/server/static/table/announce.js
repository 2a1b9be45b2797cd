// What has happened, for people who hear the page, and in the window's title.

const said = document.getElementById("said");

/** Announce what has changed since the table was shown before. */
export function say(shown, before) {
  document.title = shown.dataset.title;
  const text = shown.dataset.said.trim();
  if (text && before && before.said.trim() !== text) said.textContent = text;
}
