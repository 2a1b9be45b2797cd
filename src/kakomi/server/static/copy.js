// Buttons that copy a field: `data-copy` is the field's id, `data-copied` what the button says afterwards.
// One that is hidden without scripts, since it would do nothing, is shown.

for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;

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

// Buttons that hand a field to the system's own way of sharing, where there is one.

if (navigator.share) for (const button of document.querySelectorAll("[data-share]")) button.hidden = false;

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-share]");
  if (!button) return;
  const url = document.getElementById(button.dataset.share).value;
  navigator.share({ title: document.title, url }).catch(() => {}); // nothing chosen is no error
});
