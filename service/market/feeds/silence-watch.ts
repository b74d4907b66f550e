// Service, market feeds: watches an attempt for due closes, silent symbols and a silent stream.
import { type Cancel, type Clock, every } from '../../../shared/lib/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import type { CatchUp } from './catch-up.ts';
import type { Connection } from './connection.ts';
import type { SleepWatch } from './sleep-watch.ts';
import type { SymbolProgress } from './symbol-progress.ts';

const TICK_MS = 5 * SECOND_MS;
/** Silence after which an open symbol's history is fetched; if all are silent, the connection is replaced. */
export const SILENT_MS = 2 * MINUTE_MS;
/** Interval of fetches of an open session's last hour, for missed corrections. */
const CHECKED_EVERY_MS = 30 * MINUTE_MS;

export interface SilenceDeps {
  readonly clock: Clock;
  /** Name of the feed. */
  readonly name: string;
  readonly all: readonly SymbolProgress[];
  readonly catchUp: Pick<CatchUp, 'request'>;
  /** null: the feed has no live connection. */
  readonly connection: Connection | null;
  readonly sleep: SleepWatch;
}

export function watchForSilence({ clock, name, all, catchUp, connection, sleep }: SilenceDeps): Cancel {
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
    if (sleep.check()) return;
    const now = clock.now();
    const due = all.filter((one) => one.hasHistory && isDue(one, now));
    for (const one of due) askedAt.set(one, now);
    catchUp.request(due.map(({ listing }) => listing.symbol));
    if (connection === null || connection.begunAt === null) return;
    const { begunAt } = connection;
    const open = all.filter((one) => one.isSilent(now, 0));
    if (open.length > 0 && open.every((one) => one.isSilentSince(begunAt, now, SILENT_MS)))
      connection.restart(`The stream of ${name} sent nothing for ${SILENT_MS / SECOND_MS} s.`);
    else if (haveAllRows(all, begunAt, now)) connection.succeeded();
  });
}

/** Whether each open symbol has sent a row: only a row shows that its subscription works. */
const haveAllRows = (all: readonly SymbolProgress[], begunAt: number, now: number): boolean =>
  all.every((one) => one.lastRowAt >= begunAt || !one.isSilent(now, 0));
