// Service, market feeds: watches an attempt: for a sleep of this computer, due closes, silent symbols and streams.
import { type Cancel, type Clock, every } from '../../../shared/lib/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import type { Connection } from './connection.ts';
import type { CatchUp } from './missing-ranges.ts';
import type { SymbolProgress } from './symbol-progress.ts';

const TICK_MS = 5 * SECOND_MS;
/** Maximum time between two checks while the computer is awake. */
const SLEPT_MS = MINUTE_MS;
/** Silence after which an open symbol's history is fetched; if all are silent, the connection is replaced. */
export const SILENT_MS = 2 * MINUTE_MS;
/** Interval of fetches of an open session's last hour, for missed corrections. */
const CHECKED_EVERY_MS = 30 * MINUTE_MS;

/**
 * A check for a sleep of this computer, or a clock set back. Call it every few seconds, and before using a price.
 * @param beginAgain restarts the attempt from the tape, and fetches corporate actions first
 * @returns whether the attempt ends
 */
export function watchForSleep(clock: Pick<Clock, 'now'>, beginAgain: (why: string) => void): () => boolean {
  let checkedAt = clock.now();
  return () => {
    const passed = clock.now() - checkedAt;
    checkedAt += passed;
    if (Math.abs(passed) <= SLEPT_MS) return false;
    // Times noted before the clock was set back would delay closes and repairs until they pass again.
    beginAgain(passed < 0 ? 'the clock was set back' : 'this computer slept');
    return true;
  };
}

interface SilenceDeps {
  readonly clock: Clock;
  /** Name of the feed. */
  readonly name: string;
  readonly all: readonly SymbolProgress[];
  readonly catchUp: Pick<CatchUp, 'request'>;
  /** null: the feed has no live connection. */
  readonly connection: Connection | null;
  readonly hasSlept: () => boolean;
}

export function watchForSilence({ clock, name, all, catchUp, connection, hasSlept }: SilenceDeps): Cancel {
  const startedAt = clock.now();
  const askedAt = new Map(all.map((one) => [one, startedAt]));
  const silentMs = connection === null ? MINUTE_MS : SILENT_MS;
  const isDue = (one: SymbolProgress, now: number): boolean => {
    const passed = now - (askedAt.get(one) ?? 0);
    if (one.isCloseDue(now)) return passed > 4 * TICK_MS;
    if (passed >= silentMs && one.isSilent(now, silentMs)) return true;
    return passed >= CHECKED_EVERY_MS && one.isSilent(now, 0);
  };
  return every(clock, TICK_MS, () => {
    if (hasSlept()) return;
    const now = clock.now();
    const due = all.filter((one) => one.hasHistory && isDue(one, now));
    for (const one of due) askedAt.set(one, now);
    catchUp.request(due.map(({ listing }) => listing.symbol));
    const begunAt = connection?.begunAt() ?? null;
    if (begunAt === null) return;
    const open = all.filter((one) => one.isSilent(now, 0));
    if (open.length > 0 && open.every((one) => one.isSilentSince(begunAt, now, SILENT_MS)))
      connection?.restart(`The stream of ${name} sent nothing for ${SILENT_MS / SECOND_MS} s.`);
    // Only a row shows that the subscription of a symbol works.
    else if (open.every((one) => one.lastRowAt >= begunAt)) connection?.succeeded();
  });
}
