// Streams of events: a connection that is made again when it is lost, and signs of life for it.

/** Where the browser keeps since when somebody waits for a live game, and the number of their latest game. */
export const KEPT = "kakomi.waiting";

const SILENCE = 11000; // milliseconds after which a connection is dead: the server says something every 4 seconds
const BEAT = 3500; // milliseconds between two signs of life
const PATIENCE = 2000;

/**
 * Listen at an address. `heard` has a function for every kind of event; `lost` is told whether it is lost. Signs of
 * life are sent from when somebody `waits`: a thousand who only look on need not send them.
 */
export function listenTo(address, here, token, heard, waits, lost = () => {}) {
  let source = null;
  let silence = null;
  let retry = null;
  let stream = "";
  let answers = false; // whether this stream ends without signs of life
  let alive = 0;
  let worry = null;

  const close = () => {
    for (const timer of [silence, retry, worry]) clearTimeout(timer);
    worry = null;
    stream = "";
    answers = false;
    source?.close();
  };

  const open = () => {
    close();
    source = new EventSource(address());
    source.addEventListener("error", () => {
      worry ??= setTimeout(() => lost(true), 2 * PATIENCE);
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, PATIENCE);
    });
    const named = (name) => {
      stream = name;
      answers = false;
    };
    const all = { beat: () => {}, stream: named, ...heard };
    for (const [kind, hear] of Object.entries(all)) {
      source.addEventListener(kind, (event) => {
        clearTimeout(worry);
        worry = null;
        lost(false);
        listen();
        hear(JSON.parse(event.data));
        answer();
      });
    }
    listen();
  };

  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      lost(true);
      open();
    }, SILENCE);
  };

  const answer = () => {
    answers ||= waits();
    if (!answers || !stream || performance.now() < alive + BEAT) return;
    alive = performance.now();
    const body = new URLSearchParams({ stream, csrfmiddlewaretoken: token() });
    fetch(here, { method: "POST", body, signal: AbortSignal.timeout(SILENCE) }).catch(() => {});
  };

  open();
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("online", open);
}

// Signs of life: a page tells the server, where others are told of it, that it is still there.

const LIFE_BEAT = 3500; // milliseconds between two of them
const LIFE_PATIENCE = 11000; // milliseconds

let lastSign = 0; // when the last one was sent

/** Answer for a stream of events, by the server's name for it; an empty address: nobody is told. */
export function answerFor(address, stream) {
  if (!address || !stream || performance.now() < lastSign + LIFE_BEAT) return;
  lastSign = performance.now();
  const token = document.querySelector("#command [name=csrfmiddlewaretoken]").value;
  const body = new URLSearchParams({ stream, csrfmiddlewaretoken: token });
  fetch(address, { method: "POST", body, signal: AbortSignal.timeout(LIFE_PATIENCE) }).catch(() => {});
}
