// The page is made of fragments. The server is told which it has, and sends those that are different.

/** What to tell the server. */
export const etags = (table) =>
  [...table.querySelectorAll("[data-etag]")].map(({ dataset }) => `${dataset.fragment}=${dataset.etag}`).join(" ");

/** Let a table be as an answer says. */
export function update(table, answer) {
  for (const name of table.getAttributeNames()) if (!answer.hasAttribute(name)) table.removeAttribute(name);
  for (const { name, value } of answer.attributes) if (table.getAttribute(name) !== value) table.setAttribute(name, value);
  for (const fresh of [...answer.children]) {
    const old = table.querySelector(`[data-fragment="${fresh.dataset.fragment}"]`);
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

/** A drawing's last layer are its buttons, which stay; of the others only what is new is put in. */
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

/** Every line is a button's name and, after a tab, its action. */
function changeButtons(old, fresh) {
  if ("for" in fresh.dataset) old.dataset.for = fresh.dataset.for;
  else delete old.dataset.for;
  const lines = fresh.firstElementChild.textContent.split("\n");
  for (const [index, button] of [...old.children].entries()) {
    const [name, action] = lines[index].split("\t");
    if (button.getAttribute("aria-label") !== name) button.setAttribute("aria-label", name);
    if (action === undefined) button.removeAttribute("data-action");
    else if (button.dataset.action !== action) button.dataset.action = action;
    button.classList.remove("is-sent");
  }
  const tabbed = document.getElementById(`board-${fresh.dataset.focus}`);
  for (const button of old.querySelectorAll("[tabindex='0']")) button.setAttribute("tabindex", "-1");
  tabbed.setAttribute("tabindex", "0");
}
