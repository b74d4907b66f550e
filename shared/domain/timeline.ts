// Pure: turns changes of state into bands of the state strip; merges equal ones, keeps gaps.
import { DAY_MS } from '../lib/time.ts';
import { openSessions, type SessionCalendar } from './sessions.ts';
import type { State } from './states.ts';

/** Longest row of days without a close, ms: after more, the prices have ended, or their record is not whole. */
export const NO_CLOSE_MS = 5 * DAY_MS;
/** More sessions than a close is ever late. */
const LATE_SESSIONS = 2;

/** Whether closes are missing between two instants, ms, longer holidays aside: ten days in Tokyo or Shanghai. */
export const lacksCloses = (calendar: SessionCalendar, from: number, to: number): boolean =>
  to - from > NO_CLOSE_MS && openSessions(calendar, from, to) > LATE_SESSIONS;

/** A period of time in one state; `to` is exclusive. Times in ms. */
export interface StateBand {
  readonly state: State;
  readonly from: number;
  readonly to: number;
}

/** A state that applies from an instant (ms) on. */
export interface StateChange {
  readonly at: number;
  readonly state: State;
}

/**
 * Bands from changes (any order; the later of two at one instant wins), up to `end`.
 * @param gaps periods without data; no band runs through one
 */
export function stateBands(
  changes: readonly StateChange[],
  end: number,
  gaps: readonly { from: number; to: number }[] = [],
): StateBand[] {
  const ordered = [...changes].sort((a, b) => a.at - b.at);
  const bands: StateBand[] = [];
  for (const [index, change] of ordered.entries()) {
    const to = Math.min(ordered[index + 1]?.at ?? end, end);
    if (to <= change.at) continue;
    for (const piece of cut(change.at, to, gaps)) {
      const last = bands.at(-1);
      if (last !== undefined && last.state === change.state && last.to === piece.from)
        bands[bands.length - 1] = { ...last, to: piece.to };
      else bands.push({ state: change.state, ...piece });
    }
  }
  return bands;
}

/** The state at an instant, ms; null: unknown. */
export const stateAt = (bands: readonly StateBand[], ms: number): State | null =>
  bands.find((band) => band.from <= ms && ms < band.to)?.state ?? null;

function cut(from: number, to: number, gaps: readonly { from: number; to: number }[]): { from: number; to: number }[] {
  let pieces = [{ from, to }];
  for (const gap of gaps) {
    pieces = pieces.flatMap((piece) =>
      gap.to <= piece.from || gap.from >= piece.to
        ? [piece]
        : [
            { from: piece.from, to: gap.from },
            { from: gap.to, to: piece.to },
          ].filter((part) => part.to > part.from),
    );
  }
  return pieces;
}
