// Small helps for fields, buttons and menus of any page.
//
// Buttons that copy a field: `data-copy` is the field's id, `data-copied` what the button says afterwards.
// Buttons that hand a field to the system's own way of sharing, where there is one: `data-share`.
// Style sheets hide both until the root element says that they work.

document.documentElement.dataset.copies = "";
if (navigator.share) document.documentElement.dataset.shares = "";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // where the clipboard is for encrypted pages only
  }
  button.textContent = button.dataset.copied;
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-share]");
  if (!button) return;
  const url = document.getElementById(button.dataset.share).value;
  navigator.share({ title: document.title, url }).catch(() => {}); // nothing chosen is no error
});

// A first guess of somebody's time zone, where they have chosen none: that of their browser.

const guess = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll("#zone[data-guess]")) {
  if (!field.options || [...field.options].some((option) => option.value === guess)) field.value = guess;
}

// A first moment, by the clocks of that zone.
for (const field of document.querySelectorAll("input[data-moment]")) {
  const moment = new Date(1000 * field.dataset.moment);
  field.value = new Date(moment - 60_000 * moment.getTimezoneOffset()).toISOString().slice(0, 16);
}

// Menus that unfold over the page: Escape folds up the one that has the focus, or else any.

const MENUS = "details.drawer[open], details.menu[open], details.resigning[open]";

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || event.isComposing || event.target.closest("select, dialog")) return;
    const focused = event.target.closest(MENUS);
    const menu = focused ?? document.querySelector(MENUS);
    if (!menu) return;
    event.preventDefault();
    event.stopPropagation(); // on the board the key means something else as well
    menu.open = false;
    if (focused) menu.querySelector("summary").focus();
  },
  true,
);
