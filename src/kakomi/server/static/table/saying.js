// What the page says of its connection and of commands on their way: one sentence, the weightiest that holds.

const ORDER = ["offline", "unanswered", "failed", "dropped", "unplayable", "premoved", "forbidden", "incomplete", "audible", "silent", "sending", "lost"];
const BRIEFLY = 6000; // milliseconds

const element = document.getElementById("connection");
const holding = new Map();
let end = null;

/** Something holds from now on; `what` it is about stands in its sentence. */
export function hold(reason, what = "") {
  holding.set(reason, what);
  show();
}

/** Something holds no longer. */
export function release(...reasons) {
  for (const reason of reasons) holding.delete(reason);
  show();
}

/** Something that is over when it has been read. */
export function mention(reason, what = "") {
  clearTimeout(end);
  end = setTimeout(() => release(reason), BRIEFLY);
  hold(reason, what);
}

function show() {
  const reason = ORDER.find((name) => holding.has(name));
  const text = reason ? element.dataset[reason].replace("{what}", holding.get(reason)) : "";
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}
