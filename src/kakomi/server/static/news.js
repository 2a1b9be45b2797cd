// News from the server by event streams, sounds, and announcements of the viewer's games.

import { CALL, token, WAITING } from "./site.js";

const SILENCE = 11000; // milliseconds after which a connection is dead; the server sends every 4 seconds
const BEAT = 3500; // milliseconds between two signs of life
export const PATIENCE = 2000; // milliseconds before a connection is reopened

/**
 * Listen to a stream, reopen it when it is lost, and return functions to `open` and `close` it. `heard` has a function
 * for every kind of event; `lost(isLost)` is called when the connection is lost or works. `here()` is where to send signs
 * of life, or empty for mere spectators; once a stream gets any, the server ends it when they stop.
 */
export function listenTo(address, heard, { here = () => "", lost = () => {}, patience = 2 * PATIENCE } = {}) {
  let source = null;
  let stream = ""; // the server's name for this connection
  let signs = "";
  let alive = 0;
  let [worry, retry, silence] = [null, null, null];

  const close = () => {
    for (const timer of [worry, retry, silence]) clearTimeout(timer);
    worry = null;
    [stream, signs] = ["", ""];
    source?.close();
  };

  const open = () => {
    close();
    source = new EventSource(address());
    source.addEventListener("open", works);
    source.addEventListener("error", () => {
      worry ??= setTimeout(lost, patience, true);
      // A response that isn't a stream closes the source permanently.
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, PATIENCE);
    });
    for (const kind of new Set(["beat", "stream", ...Object.keys(heard)])) {
      source.addEventListener(kind, ({ data }) => {
        works();
        const told = JSON.parse(data);
        if (kind === "stream") [stream, signs] = [told, ""];
        heard[kind]?.(told);
        sendSign();
      });
    }
    awaitSilence();
  };

  const works = () => {
    clearTimeout(worry);
    worry = null;
    lost(false);
    awaitSilence();
  };

  const awaitSilence = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      lost(true);
      open();
    }, SILENCE);
  };

  /** Tell the server that the page is still open, which determines the viewer's presence. */
  const sendSign = () => {
    signs ||= here();
    if (!signs || !stream || performance.now() < alive + BEAT) return;
    alive = performance.now();
    const body = new URLSearchParams({ stream, csrfmiddlewaretoken: token() });
    fetch(signs, { method: "POST", body, signal: AbortSignal.timeout(SILENCE) }).catch(() => {});
  };

  open();
  // A page in the browser's back-forward cache must not keep its connection.
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("online", open);
  return { open, close };
}

// The sounds of stones, synthesized without files. Browsers allow them after the first gesture on a page.

const SOUNDS = "kakomi.sounds";

let context = null;
let noise = null;

for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, begin, { once: true, capture: true });

export const areOn = () => localStorage.getItem(SOUNDS) !== "off";

export function switchSounds(on) {
  localStorage.setItem(SOUNDS, on ? "on" : "off");
  if (on) sound("placed");
}

/** Play the sound of stones that are `placed`, `flipped` or `removed`, or of a game that has `ended`. */
export function sound(kind, count = 1) {
  if (!context || context.state !== "running" || !areOn()) return;
  const now = context.currentTime + 0.005;
  if (kind === "ended") return [523, 659, 784].forEach((pitch, index) => tone(now + 0.13 * index, pitch, pitch, 0.5, 0.09));
  for (let index = 0; index < Math.min(count, 5); index += 1) STONES[kind](now + 0.06 * index, 1 / (1 + 0.5 * index));
}

const STONES = {
  placed: (at, loudness) => {
    knock(at, 1900, 0.05, 0.5 * loudness);
    tone(at, 210, 120, 0.09, 0.35 * loudness);
  },
  flipped: (at, loudness) => knock(at, 3200, 0.035, 0.35 * loudness),
  removed: (at, loudness) => tone(at, 320, 620, 0.09, 0.16 * loudness),
};

function begin() {
  context = new AudioContext();
  noise = context.createBuffer(1, context.sampleRate / 10, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = 2 * Math.random() - 1;
}

/** A short noise around a pitch, like wood. */
function knock(at, pitch, length, loudness) {
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 1.2 });
  source.connect(filter).connect(fading(at, length, loudness));
  source.start(at);
  source.stop(at + length);
}

function tone(at, from, to, length, loudness) {
  const source = new OscillatorNode(context, { frequency: from });
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + length);
  source.connect(fading(at, length, loudness));
  source.start(at);
  source.stop(at + length);
}

function fading(at, length, loudness) {
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(loudness, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  volume.connect(context.destination);
  return volume;
}

// While somebody waits for an opponent, all pages other than the lobby keep their seek open and announce the game.
// While somebody plays in a live tournament, all pages announce when their game begins: one page of a browser listens
// for all, as browsers allow only few connections to a site, and informs the others by the local storage.

const LONGEST = 20 * 60 * 1000; // milliseconds; no live seek stays open for so long
const note = document.getElementById("come");
const { title } = document;
const [since, after] = ((note && localStorage.getItem(WAITING)) ?? "0 0").split(" ");

let announced = "";

if (note && !document.getElementById("lobby") && Number(since) > Date.now() - LONGEST) {
  const { events, here } = note.dataset;
  const game = ({ address }) => {
    localStorage.removeItem(WAITING);
    announce({ address });
  };
  listenTo(() => `${events}?${new URLSearchParams({ mine: "", after })}`, { game }, { here: () => here });
}

if (note?.dataset.calls) {
  const kept = localStorage.getItem(CALL) ?? "null";
  if (JSON.parse(kept)?.address === location.pathname) localStorage.setItem(CALL, "null");
  else showCall(kept);
  if (navigator.locks) navigator.locks.request(CALL, listen);
  else listen();
}

function listen() {
  listenTo(() => note.dataset.calls, { call: hearCall });
  return new Promise(() => {}); // keeps the lock while the page exists
}

function hearCall(call) {
  const until = call?.left && Date.now() + 1000 * call.left;
  const kept = JSON.stringify(call && location.pathname !== call.address ? { ...call, until } : null);
  localStorage.setItem(CALL, kept);
  showCall(kept);
}

/** Show the viewer's game in a tournament, received by any page of the browser; null removes the announcement. */
export function showCall(kept) {
  const call = JSON.parse(kept);
  if (call) return announce(call);
  if (announced) document.title = title;
  announced = "";
  note.hidden = true;
}

/** Announce one of the viewer's games that has begun, by the page's banner and title and by a sound. */
function announce({ address, said, until }) {
  if (location.pathname === address || announced === address) return;
  announced = address;
  if (said) note.querySelector("strong").textContent = said;
  const actBy = note.querySelector("[data-act-by]");
  const options = { hour: "2-digit", minute: "2-digit" };
  const time = new Date(until ?? 0).toLocaleTimeString(document.documentElement.lang, options);
  actBy.textContent = until ? actBy.dataset.actBy.replace("{time}", time) : "";
  note.querySelector("a").href = address;
  note.hidden = false;
  document.title = `● ${note.querySelector("strong").textContent}`;
  sound("ended");
}
