// Service, signals: the announced states of session days, from the event log.
// The engine's reading of a close may differ from the announced state.
import type { State } from '../../shared/domain/states.ts';
import { countLeading } from '../count-leading.ts';
import type { SymbolStep } from '../store/event-log.ts';
import type { ClosedRow } from './closed-row.ts';

/** A session day, from the close before it (exclusive) to its own close. */
export interface DayStates {
  /** At the end of the day. */
  readonly state: State;
  /** The percentage announced with the state; null: not known. */
  readonly announced: number | null;
  readonly worst: State;
  /** Number of changes of state; null if the log does not cover the whole day. */
  readonly changes: number | null;
  /** Number of entries to High Risk. */
  readonly entries: number;
}

/** A symbol's changes of state in the log. */
export interface LoggedStates {
  /** Oldest first. */
  readonly steps: readonly SymbolStep[];
  /** World ms from which the log is complete. */
  readonly from: number;
  /** The current state, for a symbol without a change in the log. */
  readonly current: State;
}

/** The states in (`after`, `to`], world ms. The log must cover `to`. */
export function loggedStates({ steps, from, current }: LoggedStates, after: number, to: number): DayStates {
  const first = countLeading(steps, ({ at }) => at <= after);
  const end = countLeading(steps, ({ at }) => at <= to);
  const within = steps.slice(first, end);
  const begin = steps[first - 1]?.to ?? steps[first]?.from ?? current;
  const last = within.at(-1);
  return {
    state: last?.to ?? begin,
    announced: (last ?? steps[first - 1])?.confidence ?? null,
    worst: Math.max(begin, ...within.map(({ to: entered }) => entered)) as State,
    changes: after < from ? null : within.length,
    entries: within.filter((step) => step.to === 2).length,
  };
}

/**
 * The states of `days[index]`: from the log, or from the closes for a day before the log.
 * @param days oldest first
 */
export function dayStates(days: readonly ClosedRow[], index: number, logged: LoggedStates): DayStates {
  const row = days[index] as ClosedRow;
  const before = days[index - 1];
  if (row.closedAt >= logged.from)
    return loggedStates(logged, before?.closedAt ?? Number.NEGATIVE_INFINITY, row.closedAt);
  const { state } = row.reading;
  const began = before?.reading.state ?? state;
  return {
    state,
    announced: null,
    worst: Math.max(began, state) as State,
    changes: null,
    entries: state === 2 && began !== 2 ? 1 : 0,
  };
}
