// Drawers beside the board whose content is loaded when they are opened, and again while somebody reads it.

import { table, whenShown } from "./page.js";

const EVERY = 5000; // milliseconds

export function listenToDrawers() {
  document.addEventListener("toggle", ({ target }) => target.open && fill(target), true); // it doesn't bubble
  setInterval(() => !document.hidden && fillDrawers(), EVERY);
  whenShown(fillDrawers);
}

/** Load what open drawers hold. */
function fillDrawers() {
  for (const drawer of document.querySelectorAll("details[data-loads][open]")) fill(drawer);
}

async function fill(drawer) {
  const place = drawer.querySelector("[data-loaded]");
  if (!place) return;
  const options = { headers: { "HX-Request": "true" }, credentials: "same-origin" };
  const answer = await fetch(drawer.dataset.loads, options).catch(() => null);
  if (!answer?.ok) return;
  const text = await answer.text();
  if (place.innerHTML !== text) place.innerHTML = text;
}

// The rules in a drawer beside the board, at the place that matters now or that a link leads to.

const rulesDrawer = () => document.getElementById("rules");
const ruleIn = (rule) => rulesDrawer().querySelector(`#rule-${CSS.escape(rule)}`);

let loading = null;

export function listenToRules() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-rule]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    openRule(link);
  });
  rulesDrawer().addEventListener("toggle", () => rulesDrawer().open && showRule(table().dataset.rule));
}

/** Mark the rule that matters now, if the rules are there already. */
export function markRule(shown) {
  if (rulesDrawer().open) showRule(shown.dataset.rule);
}

async function openRule(link) {
  rulesDrawer().open = true;
  if (!(await showRule(link.dataset.rule))) location.assign(link.href);
  else if (rulesDrawer().getBoundingClientRect().top > innerHeight * 0.8) rulesDrawer().scrollIntoView({ block: "nearest" });
}

/** Scroll to a rule, and to nothing else than within the drawer. False if the rules could not be had. */
async function showRule(rule) {
  loading ??= loadRules();
  if (!(await loading)) {
    loading = null;
    return false;
  }
  for (const marked of rulesDrawer().querySelectorAll(".is-now")) marked.classList.remove("is-now");
  const found = rule && ruleIn(rule);
  if (!found) return true;
  found.classList.add("is-now");
  const text = rulesDrawer().querySelector(".drawer-content");
  text.scrollTop += found.getBoundingClientRect().top - text.getBoundingClientRect().top - text.clientHeight / 6;
  return true;
}

async function loadRules() {
  try {
    const answer = await fetch(rulesDrawer().dataset.text, { credentials: "same-origin" });
    if (!answer.ok) return false;
    const text = rulesDrawer().querySelector(".drawer-text");
    text.innerHTML = await answer.text();
    text.hidden = false;
    return true;
  } catch {
    return false;
  }
}
