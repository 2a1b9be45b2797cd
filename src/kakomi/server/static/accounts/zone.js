// A first guess of somebody's time zone, where they have chosen none: that of their browser.

const guess = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll("#zone[data-guess]")) {
  if (!field.options || [...field.options].some((option) => option.value === guess)) field.value = guess;
}
