// Signs of life: a page tells the server, where others are told of it, that it is still there.

const BEAT = 3500; // milliseconds between two of them
const PATIENCE = 11000; // milliseconds

let last = 0; // when the last one was sent

/** Answer for a stream of events, by the server's name for it; an empty address: nobody is told. */
export function answerFor(address, stream) {
  if (!address || !stream || performance.now() < last + BEAT) return;
  last = performance.now();
  const token = document.querySelector("#command [name=csrfmiddlewaretoken]").value;
  const body = new URLSearchParams({ stream, csrfmiddlewaretoken: token });
  fetch(address, { method: "POST", body, signal: AbortSignal.timeout(PATIENCE) }).catch(() => {});
}
