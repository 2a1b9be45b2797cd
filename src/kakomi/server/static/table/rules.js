// The rules in a drawer beside the board, at the place that matters now or that a link leads to.

import { table } from "./swap.js";

const drawer = () => document.getElementById("rules");
const place = (rule) => drawer().querySelector(`#rule-${CSS.escape(rule)}`);

let loading = null;

export function listenToRules() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-rule]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(link);
  });
  drawer().addEventListener("toggle", () => drawer().open && show(table().dataset.rule));
}

/** Mark the rule that matters now, if the rules are there already. */
export function markRule(shown) {
  if (drawer().open) show(shown.dataset.rule);
}

async function open(link) {
  drawer().open = true;
  if (!(await show(link.dataset.rule))) location.assign(link.href);
  else if (drawer().getBoundingClientRect().top > innerHeight * 0.8) drawer().scrollIntoView({ block: "nearest" });
}

/** Scroll to a rule, and to nothing else than within the drawer. False if the rules could not be had. */
async function show(rule) {
  loading ??= load();
  if (!(await loading)) {
    loading = null;
    return false;
  }
  for (const marked of drawer().querySelectorAll(".is-now")) marked.classList.remove("is-now");
  const found = rule && place(rule);
  if (!found) return true;
  found.classList.add("is-now");
  const text = drawer().querySelector(".drawer-content");
  text.scrollTop += found.getBoundingClientRect().top - text.getBoundingClientRect().top - text.clientHeight / 6;
  return true;
}

async function load() {
  try {
    const answer = await fetch(drawer().dataset.text, { credentials: "same-origin" });
    if (!answer.ok) return false;
    const text = drawer().querySelector(".drawer-text");
    text.innerHTML = await answer.text();
    text.hidden = false;
    return true;
  } catch {
    return false;
  }
}
