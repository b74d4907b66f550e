// Service: long work in steps, within one turn of the event loop or across several.
import { setImmediate as turn } from 'node:timers/promises';
import type { Progress } from '../shared/lib/progress.ts';

/** Work in steps of some ms each, some of which say how far it is; returns its result. */
export type Steps<Result> = Generator<Progress | undefined, Result>;

type Report = (progress: Progress) => void;

/** Runs all steps at once. */
export function inOneTurn<Result>(work: Steps<Result>, report?: Report): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) report?.(step.value);
  }
}

/**
 * Runs one step per turn, so that requests are answered in between. Work that is stopped may keep what it has in
 * a `finally`.
 * @returns null if it was stopped
 */
export async function overTurns<Result>(
  work: Steps<Result>,
  isStopped: () => boolean,
  report?: Report,
): Promise<Result | null> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) report?.(step.value);
    await turn();
    if (isStopped()) {
      work.return(undefined as never);
      return null;
    }
  }
}
