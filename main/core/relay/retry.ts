// Main, core: when the relay tries its file again, which was full, locked or read-only. Pure.
import { backoffDelay } from '../../../shared/lib/backoff.ts';

const RETRY = { base: 2_000, cap: 60_000 };
const SOONEST = 1_000;

/** Wait after this many attempts that failed before, ms. */
export const retryDelay = (attempts: number, random: () => number): number =>
  backoffDelay(attempts, RETRY, random, SOONEST);
