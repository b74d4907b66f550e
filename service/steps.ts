// Service: long work in steps, within one turn of the event loop or across several.
import { setImmediate as turn } from 'node:timers/promises';

/** Work in steps of some ms each; returns its result. */
export type Steps<Result> = Generator<undefined, Result>;

/** Runs all steps at once. */
export function inOneTurn<Result>(work: Steps<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Runs one step per turn, so that requests are answered in between. @returns null if it was stopped */
export async function overTurns<Result>(work: Steps<Result>, isStopped: () => boolean): Promise<Result | null> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await turn();
    if (isStopped()) return null;
  }
}
