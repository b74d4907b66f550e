// Pure: what a transport between window and core must do: move {name, payload} without reading it.
// Electron IPC, the loopback socket and memory are interchangeable (one table of cases runs over all of
// them).
import type { Cancel } from '../lib/clock.ts';
import type { Answer } from './channel.ts';

/** The window's end. */
export interface WindowLink {
  /** @param limit the longest wait for the answer, ms; `CALL_LIMIT` where it is not given */
  call(name: string, payload: unknown, limit?: number): Promise<Answer>;
  /**
   * Pushes of that name, in order. A slow window may get only the last of them; changes of state are merged.
   */
  subscribe(name: string, listener: (payload: unknown) => void): Cancel;
  /**
   * `up` false: the core is gone; calls answer `disconnected` until it is back. Calls the listener at once
   * with the present value.
   */
  watch(listener: (up: boolean) => void): Cancel;
}

/** Answers a call from a trusted sender. Never throws: a failure is a refusal. */
export type Dispatch = (name: string, payload: unknown) => Promise<Answer>;

/** The core's end for one profile: every window of the profile is attached to it. */
export interface CoreLink {
  push(name: string, payload: unknown): void;
  /** The profile is no longer monitored while this program continues: the window must not wait for it. */
  end?(): void;
}

/** One core as a shell attaches windows to it. */
export interface LinkedCore {
  readonly dispatch: Dispatch;
  /** Pushes go to this link too, from now until it is cancelled. */
  attach(link: CoreLink): Cancel;
}
