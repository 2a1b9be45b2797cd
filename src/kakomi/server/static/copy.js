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
