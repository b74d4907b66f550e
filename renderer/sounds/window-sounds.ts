// Renderer: plays the sounds that the core asks for, in one of this profile's windows.
import type { Channels } from '../../shared/channels/channels.ts';
import type { WindowClient } from '../../shared/channels/ends.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import type { SoundName } from '../../shared/settings/alert-rules.ts';
import { inOneWindow } from '../one-window.ts';
import { playSound } from './synthesizer.ts';

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
