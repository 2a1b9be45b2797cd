// The data of an exported page, and its texts.

import { unpacked } from "../../server/static/engine/engine.js";

/** Unpack what `kakomi.web.pages` packed. */
export async function unpack(text) {
  const packed = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return unpacked(new Uint8Array(await new Response(stream).arrayBuffer()));
}

let texts = {};

export function useTexts(chosen) {
  texts = chosen;
}

/** The text itself, marked for translators. */
export const _ = (text) => text;

/** A text in the reader's language, with values filled in. */
export function t(text, values = {}) {
  return (texts[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** What the browser has kept for this page; pages in strict frames keep nothing. */
export const kept = {
  get(name) {
    try {
      return localStorage.getItem(`kakomi.page.${name}`);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`kakomi.page.${name}`, value);
    } catch {
      // it is forgotten when the page closes
    }
  },
};
