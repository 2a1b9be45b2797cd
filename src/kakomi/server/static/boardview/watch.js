// Watches the script of a page with a board. Where it can't be loaded, or another one that it needs, the page says so,
// and shows its fields for what clicks on the board would do.

const address = document.querySelector(".without-scripts[data-script]")?.dataset.script;

if (address) {
  import(address).catch(() => {
    for (const field of document.querySelectorAll(".without-scripts")) field.classList.add("is-needed");
  });
}
