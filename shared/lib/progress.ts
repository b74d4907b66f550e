// Pure: how far long work is, and the time that is left.
import { z } from 'zod';
import type { Clock } from './clock.ts';

/** Each kind of long work, and what it counts; `share`: parts of 1. */
export const WORK_UNITS = {
  reading: 'files',
  recording: 'symbols',
  inspecting: 'symbols',
  computing: 'days',
  beginning: 'days',
  fitting: 'years',
  comparing: 'share',
  scoring: 'share',
  copying: 'bytes',
  verifying: 'share',
  backfill: 'events',
} as const;
export type Work = keyof typeof WORK_UNITS;

export const ProgressSchema = z.object({
  what: z.enum(Object.keys(WORK_UNITS) as [Work, ...Work[]]),
  done: z.number().nonnegative(),
  /** null: not known. */
  total: z.number().nonnegative().nullable(),
  /** Time left, ms; null: not known. */
  left: z.number().nonnegative().nullable(),
});
/** Progress as it is shown. */
export type ShownProgress = Readonly<z.infer<typeof ProgressSchema>>;
/** Progress as the work reports it. */
export type Progress = Omit<ShownProgress, 'left'>;

/** The user stopped long work. The message says what the next run does. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** Time over which a rate is averaged, the shortest time that gives one, and that between two samples, ms. */
const AVERAGED_MS = 10_000;
const SHORTEST_MS = 1_000;
const SAMPLED_MS = 250;

/** Returns a function that takes what is done and returns the rate, per second; null: not known yet. */
export function createRate(clock: Pick<Clock, 'now'>): (done: number) => number | null {
  let samples: { readonly at: number; readonly done: number }[] = [];
  return (done) => {
    const at = clock.now();
    const last = samples.at(-1);
    // The clock was set back, or other work begins.
    if (last !== undefined && (at < last.at || done < last.done)) samples = [];
    if (samples.length === 0 || at - (last?.at ?? 0) >= SAMPLED_MS) samples.push({ at, done });
    while (samples.length > 2 && at - (samples[0]?.at ?? 0) > AVERAGED_MS) samples.shift();
    const first = samples[0] ?? { at, done };
    return at - first.at < SHORTEST_MS ? null : ((done - first.done) * 1_000) / (at - first.at);
  };
}

/** Returns a function that adds the time left to the reports of one piece of work after another. */
export function createProgressMeter(clock: Pick<Clock, 'now'>): (progress: Progress) => ShownProgress {
  let what: Work | null = null;
  let rateOf = createRate(clock);
  return (progress) => {
    if (progress.what !== what) rateOf = createRate(clock);
    what = progress.what;
    const rate = rateOf(progress.done);
    const left = progress.total === null || !rate ? null : ((progress.total - progress.done) * 1_000) / rate;
    return { ...progress, left: left === null ? null : Math.max(0, left) };
  };
}
