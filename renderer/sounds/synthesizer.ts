// Renderer: the built-in sounds of alerts, made from a few tones. No file is loaded.
import type { SoundName } from '../../shared/settings/alert-rules.ts';

/** A tone: pitch in Hz, start and length in s. */
interface Tone {
  readonly pitch: number;
  readonly from: number;
  readonly length: number;
  readonly shape: OscillatorType;
}

const tones = (shape: OscillatorType, length: number, step: number, pitches: readonly number[]): Tone[] =>
  pitches.map((pitch, index) => ({ pitch, from: index * step, length, shape }));

const SCORES: Readonly<Record<SoundName, readonly Tone[]>> = {
  chime: tones('sine', 0.6, 0.16, [659, 880]),
  bell: [...tones('triangle', 1.2, 0, [784, 1568]), ...tones('sine', 0.9, 0, [2352])],
  alarm: tones('square', 0.14, 0.2, [880, 660, 880, 660, 880, 660]),
};
const LOUDNESS = 0.2;

/** @returns the length of the sound, s */
export function playSound(context: BaseAudioContext, name: SoundName): number {
  const now = context.currentTime + 0.02;
  for (const { pitch, from, length, shape } of SCORES[name]) {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.type = shape;
    oscillator.frequency.value = pitch;
    gain.gain.setValueAtTime(0.0001, now + from);
    gain.gain.exponentialRampToValueAtTime(LOUDNESS, now + from + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, now + from + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(now + from);
    oscillator.stop(now + from + length);
  }
  return Math.max(...SCORES[name].map(({ from, length }) => from + length));
}
