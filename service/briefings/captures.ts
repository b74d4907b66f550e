// Service, briefings: captures contexts with intraday prices while the first log is filled.
import type { Environment } from '../../shared/wire/keys.ts';
import type { Timetable } from '../market/timetable.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import type { Composer } from './composer.ts';
import type { BriefingContext, LiveSymbols } from './context.ts';
import { entriesOf } from './entries.ts';
import { createQuota } from './quota.ts';

/** Larger worlds are for load tests and must start fast, so they capture nothing. */
const MAX_CAPTURED_SYMBOLS = 200;

export interface Captures {
  /** Call it once per step, after everything up to `instant` is evaluated. */
  take(events: readonly LoggedEvent[], instant: number): void;
  /** Looks a context up by the id of the briefing that uses it. */
  find(id: string): BriefingContext | undefined;
}

export interface CapturesDeps {
  readonly environment: Environment;
  readonly timetable: Timetable;
  readonly composer: Pick<Composer, 'scheduledId' | 'transitionId'>;
  readonly contextFor: (instant: number, live: LiveSymbols) => BriefingContext | null;
  /** Number of symbols in the world. */
  readonly symbols: number;
}

export function createCaptures({ environment, timetable, composer, contextFor, symbols }: CapturesDeps): Captures {
  const quota = createQuota();
  const contexts = new Map<string, BriefingContext>();
  let capturedTo: number | null = null;
  const keep = (id: string, context: BriefingContext | null): void => {
    if (context !== null) contexts.set(id, context);
  };
  return {
    take(events, instant) {
      // A source with daily closes alone needs no capture.
      if (environment !== 'sandbox' || symbols > MAX_CAPTURED_SYMBOLS) return;
      const due = capturedTo === null ? [] : timetable.dueWithin(capturedTo, instant);
      capturedTo = instant;
      const context = due.length === 0 ? null : contextFor(instant, 'all');
      for (const one of due) keep(composer.scheduledId(one), context);
      for (const { at, ordinal, entries } of entriesOf(events)) {
        if (!quota.take(at, entries)) continue;
        const entered = new Set(entries.map(({ symbol }) => symbol));
        keep(composer.transitionId(at, ordinal + 1, entries), contextFor(at, entered));
      }
    },
    find: (id) => contexts.get(id),
  };
}
