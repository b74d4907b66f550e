// Main, core: whether anything is seen at all, for the alarm: no sight of the service, or a connection on which nothing new comes.
import type { Connection } from '../../../shared/channels/state.ts';
import { type SessionCalendar, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import type { RowTable } from './rows.ts';

export interface Unseeing {
  /** Since when, by this computer's clock, and why; null while it is seen, or not known yet. */
  unseen(): Connection['blind'];
  /** All was fetched at least once in this run, and nothing is wrong now. */
  sees(): boolean;
  /** Everything was fetched. */
  caughtUp(): void;
  /** Where the watched symbols trade, each once. */
  calendars(): readonly SessionCalendar[];
}

export interface UnseeingOptions {
  readonly environment: 'sandbox' | 'production';
  readonly connection: () => Pick<Connection, 'blind' | 'lamps'>;
  readonly rows: Pick<RowTable, 'all'>;
}

export function createUnseeing({ environment, connection, rows }: UnseeingOptions): Unseeing {
  let hasCaughtUp = false;
  const unseen = (): Connection['blind'] => {
    const { blind, lamps } = connection();
    if (blind !== null) return blind;
    // Judged by the times of the data, not by the socket: a connection may be open for hours and bring nothing.
    const isStale = lamps.fresh.state === 'out' && rows.all().some((row) => row.coverage === 'full');
    if (!hasCaughtUp || !isStale) return null;
    return {
      since: lamps.fresh.since,
      cause: 'The connection is open, and nothing new comes: every watched signal is stale.',
    };
  };
  return {
    unseen,
    sees: () => hasCaughtUp && unseen() === null,
    caughtUp() {
      hasCaughtUp = true;
    },
    calendars() {
      const classes = new Set(rows.all().map(({ signal }) => signal?.asset_class ?? 'etf'));
      return [
        ...new Set(
          [...(classes.size === 0 ? (['etf'] as const) : classes)].map((one) => sessionCalendarOf(one, environment)),
        ),
      ];
    },
  };
}
