// Pure: the interface of a transport between window and core, which moves {name, payload} unread.
// Electron IPC, the loopback socket and memory are interchangeable; one table of tests covers all three.
import type { Cancel } from '../lib/clock.ts';
import type { Answer } from './channel.ts';

/** The window's end. */
export interface WindowLink {
  /** @param limit timeout of the answer, ms; default `CALL_LIMIT` */
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
  /**
   * Ends the profile while this program continues. over: windows do not wait for it. restarted: it runs again
   * already, with other settings, and its windows go on there.
   */
  end?(why: 'over' | 'restarted'): void;
}

/** One core, to which a shell attaches windows. */
export interface LinkedCore {
  readonly dispatch: Dispatch;
  /** Sends pushes to this link too, until cancelled. */
  attach(link: CoreLink): Cancel;
}
