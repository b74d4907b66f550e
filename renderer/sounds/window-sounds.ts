// Renderer: plays the sounds that the core asks for, in one of this profile's windows.
import type { Channels } from '../../shared/channels/channels.ts';
import type { WindowClient } from '../../shared/channels/ends.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import type { SoundName } from '../../shared/settings/alert-rules.ts';
import { inOneWindow } from '../one-window.ts';

export interface SoundOutput {
  /** Whether this page may play: a browser asks for a click in the page first. */
  mayPlay(): Promise<boolean>;
  play(name: SoundName): void;
  /** Runs the job in one of the windows that call this with the same name. */
  once(name: string, job: () => void): Promise<void>;
}

export function followSounds(window: WindowClient<Channels>, output: SoundOutput): Cancel {
  const play = async ({ id, name }: { readonly id: string; readonly name: SoundName }): Promise<void> => {
    if (!(await output.mayPlay())) return;
    await output.once(id, () => {
      output.play(name);
      // Without this answer the desktop plays the sound, too.
      void window.call('sound.played', { id }).catch(() => undefined);
    });
  };
  return window.subscribe('sound.due', (due) => void play(due));
}

/** How long a page waits for the permission to play, ms. */
const RESUME_TIMEOUT_MS = 300;

export function createSoundOutput(): SoundOutput {
  let context: AudioContext | null = null;
  const opened = (): AudioContext => {
    context ??= new AudioContext();
    return context;
  };
  // A click or a key press gives the permission, for later sounds, too.
  const resume = (): void => void opened().resume();
  for (const event of ['pointerdown', 'keydown'] as const) document.addEventListener(event, resume, { once: true });
  return {
    async mayPlay() {
      const audio = opened();
      await Promise.race([audio.resume(), new Promise((resolve) => setTimeout(resolve, RESUME_TIMEOUT_MS))]);
      return audio.state === 'running';
    },
    play: (name) => void playSound(opened(), name),
    once: inOneWindow,
  };
}

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
function playSound(context: BaseAudioContext, name: SoundName): number {
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
