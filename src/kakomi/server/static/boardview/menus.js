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
