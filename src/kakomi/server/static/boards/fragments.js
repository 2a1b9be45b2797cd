// Pages with boards consist of fragments: of a table, a study, the rules. A request lists the fragments that the page
// has, and the response contains those that differ. Updates keep the focus, the scrolling, and open details.
//
// htmx isn't used for this, as it would search the old page for each of a board's hundreds of ids.

const PATIENCE = 20000; // the default timeout of requests, in milliseconds
const REFUSALS = [409, 422, 507]; // statuses of refused commands, whose responses contain fragments too

/** An element that is updated by fragments. */
export class Fragments {
  #listeners = [];
  #keep;
  #asking = null;
  busy = false;
  /** The status of the last response; 0 if there was none. */
  status = 0;

  /** `keep(element)` is called before an update, and returns a function that restores the page's own state after it. */
  constructor(id, keep = () => () => {}) {
    this.id = id;
    this.#keep = keep;
  }

  get element() {
    return document.getElementById(this.id);
  }

  /** Call `listener(element, before)` now and after every update; `before` is its previous dataset. */
  whenShown(listener) {
    this.#listeners.push(listener);
    listener(this.element, null);
  }

  /** Send a request and show the response. Returns false if there was none within `patience` milliseconds. */
  async ask(address, { patience = PATIENCE, headers = {}, ...options } = {}) {
    if (this.busy) return false;
    this.busy = true;
    this.status = 0;
    this.#asking = new AbortController();
    const waiting = setTimeout(() => this.stop(), patience);
    this.element.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, {
        ...options,
        headers: { "HX-Request": "true", "Kakomi-Etags": etags(this.element), ...headers },
        credentials: "same-origin",
        signal: this.#asking.signal,
      });
      const text = await answer.text();
      this.status = answer.status;
      const elsewhere = answer.headers.get("HX-Redirect");
      if (elsewhere) {
        location.assign(elsewhere);
        return true;
      }
      if (!answer.ok && !REFUSALS.includes(answer.status)) throw new Error(`status ${answer.status}`);
      this.#show(text);
      return true;
    } catch {
      return false;
    } finally {
      clearTimeout(waiting);
      this.busy = false;
      this.element.removeAttribute("aria-busy");
    }
  }

  /** Abort the current request. */
  stop() {
    this.#asking?.abort();
  }

  /** Show pushed fragments, unless a request is running or the page lacks fragments listed in `keeps`. */
  take(html, keeps) {
    if (this.busy || !has(this.element, keeps)) return false;
    this.#show(html);
    return true;
  }

  #show(html) {
    const shown = this.element;
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const answer = holder.content.getElementById(this.id);
    if (!answer) throw new Error(`there is no ${this.id} in the answer`);
    const before = { ...shown.dataset };
    const restorers = [this.#keep(shown), keep(shown)];
    try {
      update(shown, answer);
    } catch {
      return location.reload(); // the response doesn't fit this page, as the site was updated in the meantime
    }
    const { look } = shown.dataset;
    if (look !== undefined && look !== before.look) document.documentElement.dataset.look = look;
    for (const restore of restorers) restore(shown);
    for (const listener of this.#listeners) {
      try {
        listener(shown, before);
      } catch (error) {
        reportError(error); // but call the other listeners
      }
    }
  }
}

function keep(before) {
  const focused = before.contains(document.activeElement) ? document.activeElement : null;
  const selector = focused && selectorOf(focused);
  const unfolded = [...before.querySelectorAll("details[open][id]")].map((element) => element.id);
  const top = window.scrollY;
  return (after) => {
    for (const id of unfolded) after.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
    if (focused && document.activeElement !== focused) focusOn(after, selector);
    window.scrollTo({ top, behavior: "instant" });
  };
}

/** A selector that finds an element after an update: by its id, or for a summary by the id of its details. */
function selectorOf({ id, localName, parentElement }) {
  if (id) return `#${CSS.escape(id)}`;
  return localName === "summary" && parentElement.id ? `#${CSS.escape(parentElement.id)} > summary` : "";
}

/** Restore the focus, or move it to the board if its element is gone. */
function focusOn(after, selector) {
  const same = selector && after.querySelector(selector);
  const there = same || after.querySelector(".target[tabindex='0']");
  there?.focus({ preventScroll: true });
}

/** Keeps the scroll position of a list, as `keep` of `Fragments`. */
export const scrollKeeper = (selector) => (before) => {
  const top = before.querySelector(selector).scrollTop;
  return (after) => {
    after.querySelector(selector).scrollTop = top;
  };
};

/** Whether a page has certain fragments: `name=etag name=etag`. */
function has(element, wanted) {
  const found = new Set(etags(element).split(" "));
  return wanted.split(" ").every((pair) => !pair || found.has(pair));
}

/** The names and etags of a page's fragments, as requests list them. */
export const etags = (element) =>
  [...element.querySelectorAll("[data-etag]")].map(({ dataset }) => `${dataset.fragment}=${dataset.etag}`).join(" ");

/** Update an element by a response. */
function update(element, answer) {
  for (const name of element.getAttributeNames()) if (!answer.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of answer.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  for (const fresh of [...answer.children]) {
    const old = element.querySelector(`[data-fragment="${fresh.dataset.fragment}"]`);
    if ("rest" in fresh.dataset) {
      RESTS[fresh.dataset.fragment](old, fresh.firstElementChild);
      old.dataset.etag = fresh.dataset.etag;
    } else old.replaceWith(fresh);
  }
}

const RESTS = { board: changeBoard, moves: addMoves };

function addMoves(old, rest) {
  const list = old.querySelector("ol");
  while (list.children.length >= rest.start) list.lastElementChild.remove();
  list.append(...rest.children);
}

/** Update a drawing. Its last layer contains the buttons, which stay; in the others only differences are replaced. */
function changeBoard(old, changes) {
  const [description, ...layers] = changes.children;
  const buttons = layers.pop();
  old.querySelector("desc").textContent = description.textContent;
  for (const layer of layers) changeLayer(old.querySelector(`g.${layer.classList[0]}`), layer);
  changeButtons(old.querySelector("g.targets"), buttons);
}

function changeLayer(old, fresh) {
  const wanted = [...fresh.children].map((element) => [element.outerHTML, element]);
  const kept = new Set(wanted.map(([text]) => text));
  for (const element of [...old.children]) if (!kept.has(element.outerHTML)) element.remove();
  let next = old.firstElementChild;
  for (const [text, element] of wanted) {
    if (next?.outerHTML === text) next = next.nextElementSibling;
    else old.insertBefore(element, next);
  }
}

/** Update the buttons. Each line of the text is a button's label and, after a tab, its action. */
function changeButtons(old, fresh) {
  if ("for" in fresh.dataset) old.dataset.for = fresh.dataset.for;
  else delete old.dataset.for;
  const lines = fresh.firstElementChild.textContent.split("\n");
  for (const [index, button] of [...old.children].entries()) {
    const [name, action] = lines[index].split("\t");
    if (button.getAttribute("aria-label") !== name) button.setAttribute("aria-label", name);
    if (action === undefined) button.removeAttribute("data-action");
    else if (button.dataset.action !== action) button.dataset.action = action;
    button.classList.remove("is-sent", "is-chosen");
  }
  const tabbed = document.getElementById(`${old.closest("svg").id}-${fresh.dataset.focus}`);
  for (const button of old.querySelectorAll("[tabindex='0']")) button.setAttribute("tabindex", "-1");
  tabbed.setAttribute("tabindex", "0");
}
