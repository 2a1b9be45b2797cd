// The sounds of stones, made here: no files. Browsers allow them from the first gesture on a page.

const KEPT = "kakomi.sounds";

let context = null;
let noise = null;

for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, begin, { once: true, capture: true });

export const areOn = () => localStorage.getItem(KEPT) !== "off";

export function switchSounds(on) {
  localStorage.setItem(KEPT, on ? "on" : "off");
  if (on) sound("placed");
}

/** What is heard when stones are `placed`, `flipped` or `removed`, and when a game has `ended`. */
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

/** A short noise round a pitch, as of wood. */
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
