// The table as it is shown, and asking for it anew.

import { etags, Fragments } from "../boardview/fragments.js";

const page = new Fragments("table", keep);

let stream = ""; // the server's name for the stream of events that this page hears

export const table = () => page.element;
export const busy = () => page.busy;
export const whenShown = (listener) => page.whenShown(listener);
export const ask = (address, options) => page.ask(address, { ...options, headers: hearing() });
/** The same without leaving the game of a match that is shown: the next one may have begun meanwhile. */
export const askHere = (address, options) => page.ask(address, { ...options, headers: { ...hearing(), ...gameShown() } });
/** Wait no longer for the answer that is on its way. */
export const stopAsking = () => page.stop();
/** The status of the last answer; 0 if none came. */
export const status = () => page.status;

/** Show the table as it is now, or as it was at the moment that the page's address names. */
export const refresh = () => askHere(table().dataset.address + location.search);

/** Show what has come with the news; false if it doesn't fit, as nothing does that looks back. */
export const take = ({ html, keeps }) => !isElsewhere() && page.take(html, keeps);

/** The address of the table's events, for a page as it is: with them comes what it lacks. */
export function eventsHere() {
  const { events, news } = table().dataset;
  const has = isElsewhere() ? "" : etags(table());
  return `${events}?${new URLSearchParams({ news, has, game: steps()?.dataset.game ?? "" })}`;
}

/** From now on requests say which stream of events this page hears. */
export function nameStream(name) {
  stream = name;
}

const isElsewhere = () => "past" in table().dataset || location.search !== "";
const steps = () => table().querySelector(".steps");
const hearing = () => (stream ? { "Kakomi-Stream": stream } : {});
const gameShown = () => (steps() ? { "Kakomi-Game": steps().dataset.game } : {});

/** Say what has changed since the table was shown before, and nothing else, to people who hear the page. */
export function say(shown, before) {
  const now = shown.dataset;
  if (!before || "past" in now || "past" in before) return;
  const words = [newDeed(now, before), now.prompt === before.prompt ? "" : now.prompt].filter(Boolean);
  if (words.length) document.getElementById("said").textContent = words.join(" ");
}

/** The steps of one's own turn are heard one by one, and not again when it is finished; of others whole turns. */
function newDeed(now, before) {
  const [own, known] = [now, before].map((data) => data.own?.split(" ") ?? []); // such as `12.d4`: the 13th action
  if (now.told !== before.told) {
    const fresh = own.filter((step) => !known.includes(step));
    return own.length && !fresh.length ? "" : fresh.length === 1 ? now.step : now.said;
  }
  if (now.own === before.own) return "";
  const [at, was] = [own, known].map((steps) => Number.parseInt(steps.at(-1) ?? "-1"));
  return at < was ? document.getElementById("said").dataset.undone.replace("{what}", before.step) : now.step;
}

/** What is being typed: a komi, and texts for what stands beside the board; and the list of turns, unless it is scrolled back, is seen from its end. */
function keep(before) {
  const typed = before.querySelector("#komi")?.value;
  const drafts = [...before.querySelectorAll("[data-draft][id]")].filter(({ value }) => value);
  const old = before.querySelector(".moves");
  const readBack = old && old.scrollTop + old.clientHeight < old.scrollHeight - 30 ? old.scrollTop : null;
  return (after) => {
    const komi = after.querySelector("#komi");
    if (komi && typed !== undefined) komi.value = typed;
    for (const { id, value, selectionStart, selectionEnd } of drafts) {
      const draft = after.querySelector(`#${CSS.escape(id)}`);
      if (draft && draft.value !== value) {
        draft.value = value;
        draft.setSelectionRange(selectionStart, selectionEnd);
      }
    }
    const moves = after.querySelector(".moves");
    if (moves) moves.scrollTop = readBack ?? moves.scrollHeight;
  };
}
