// Service: long work in steps, in one turn of the event loop or over several of them.
import { setImmediate as turn } from 'node:timers/promises';

/** Work of which each step takes some ms. It ends with its result. */
export type Steps<Result> = Generator<undefined, Result>;

/** Does all steps at once. */
export function inOneTurn<Result>(work: Steps<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** One step a turn, so that requests are answered between them. @returns null when it was stopped before its end */
export async function overTurns<Result>(work: Steps<Result>, isStopped: () => boolean): Promise<Result | null> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await turn();
    if (isStopped()) return null;
  }
}
