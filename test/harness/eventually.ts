// Test harness: waits for other processes, sockets or turns of the event loop.
import { vi } from 'vitest';

/** Long enough for a busy machine; a real failure still ends. */
const TIMEOUT_MS = 60_000;

/** Repeats the expectation until it holds. Fails with its last error after `timeout` ms. */
export const eventually = <T>(expectation: () => T | Promise<T>, timeout = TIMEOUT_MS): Promise<T> =>
  vi.waitFor(expectation, { timeout, interval: 20 });
