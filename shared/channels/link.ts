// Pure: what a transport between window and core must do. It moves {name, payload} and knows nothing of what they mean;
// Electron IPC, the loopback socket and memory are interchangeable (one table of cases runs over all of them).
import type { Cancel } from '../lib/clock.ts';
import type { Answer } from './channel.ts';

/** The window's end. */
export interface WindowLink {
  call(name: string, payload: unknown): Promise<Answer>;
  /** Pushes of that name, in order. Of those that a slow window had no time for it may be given the last alone; changes of state are put together. */
  subscribe(name: string, listener: (payload: unknown) => void): Cancel;
  /** `up` false: the core is gone; calls answer `disconnected` until it is back. The listener is called at once with the present value. */
  watch(listener: (up: boolean) => void): Cancel;
}

/** Answers a call that arrived from a trusted sender. Never throws: what goes wrong is a refusal. */
export type Dispatch = (name: string, payload: unknown) => Promise<Answer>;

/** The core's end for one profile: every window of the profile hangs on it. */
export interface CoreLink {
  push(name: string, payload: unknown): void;
  /** The profile is not watched any more, while this program goes on: the window must not wait for it. */
  end?(): void;
}

/** One core as a shell hangs windows on it. */
export interface LinkedCore {
  readonly dispatch: Dispatch;
  /** Pushes go to this link too, from now until it is cancelled. */
  attach(link: CoreLink): Cancel;
}
