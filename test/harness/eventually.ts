// Test harness: waiting for what other processes, sockets or turns of the event loop bring about.
import { vi } from 'vitest';

/** Enough for a machine that does ten other things; what never comes is found out all the same. */
const TIMEOUT_MS = 60_000;

/** Repeats the expectation until it holds. Fails with what it last said. */
export const eventually = <T>(expectation: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(expectation, { timeout: TIMEOUT_MS, interval: 20 });
