// Pure: what came of an alert, as far as the later transitions of its symbol tell.
import { DAY_MS } from '../lib/time.ts';
import type { Claim } from './claims.ts';
import { FALL_SESSIONS } from './fall-chance.ts';
import { openSessions, type SessionCalendar } from './sessions.ts';
import type { State } from './states.ts';

/**
 * fall: the warned fall came. no_fall: it did not, within FALL_SESSIONS. open: their end is ahead. fallen: it
 * had come when the alert did. withdrawn: the alert rested on a price that was none.
 */
export const FOLLOWED = ['fall', 'no_fall', 'open', 'fallen', 'withdrawn'] as const;
export type Followed = (typeof FOLLOWED)[number];

/** The part of a transition that tells; times are ISO. */
export interface ToldChange {
  readonly to_state: State;
  readonly confidence_of?: Claim | undefined;
  readonly in_question?: 'open' | 'withdrawn' | undefined;
  readonly occurred_at: string;
}

interface Course {
  /** The later transitions of the symbol, oldest first. */
  readonly later: readonly ToldChange[];
  /** Its signal now; null: unknown. */
  readonly present: Pick<ToldChange, 'confidence_of'> | null;
  readonly calendar: SessionCalendar;
  /** World time, ms. */
  readonly now: number;
}

/**
 * A service names a further fall from the warned one on. null: not known; it names none, or the symbol was High
 * Risk throughout.
 */
export function whatFollowed(alert: ToldChange, { later, present, calendar, now }: Course): Followed | null {
  if (alert.in_question === 'withdrawn' || later[0]?.in_question === 'withdrawn') return 'withdrawn';
  if (alert.confidence_of === undefined) return null;
  if (alert.confidence_of === 'further_fall') return 'fallen';
  const from = Date.parse(alert.occurred_at);
  const isWithin = (at: number): boolean =>
    (calendar === 'always' ? (at - from) / DAY_MS : openSessions(calendar, from, at)) <= FALL_SESSIONS;
  const within = later.slice(
    0,
    countWhile(later, ({ occurred_at: at }) => isWithin(Date.parse(at))),
  );
  const isOpen = isWithin(now);
  const told = [...within, ...(isOpen && present !== null ? [present] : [])];
  if (told.some(({ confidence_of: claim }) => claim === 'further_fall')) return 'fall';
  if (isOpen) return 'open';
  return (within.at(-1)?.to_state ?? 2) < 2 ? 'no_fall' : null;
}

/** The length of the beginning for which it holds, in a few calls: a flapping symbol has thousands of changes. */
function countWhile<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(values[middle] as Value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
