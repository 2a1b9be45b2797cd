// Buttons that copy a field: `data-copy` is the field's id, `data-copied` what the button says afterwards.
// Hidden until this runs, since without it they would do nothing.

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.setAttribute("aria-live", "polite");
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // where the clipboard is for encrypted pages only
    }
    button.textContent = button.dataset.copied;
  });
}
