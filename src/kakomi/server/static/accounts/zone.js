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
