// Main, core: whether anything is seen at all, for the alarm: no connection to the service, or a connection on which nothing new comes.
import type { Connection } from '../../../shared/channels/state.ts';
import { type SessionCalendar, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import type { RowTable } from './rows.ts';

export interface OutageMonitor {
  /** Since when, by this computer's clock, and why; null while it is seen, or not known yet. */
  outage(): Connection['outage'];
  /** All was fetched at least once in this run, and nothing is wrong now. */
  isConnected(): boolean;
  /** Everything was fetched. */
  caughtUp(): void;
  /** Where the watched symbols trade, each once. */
  calendars(): readonly SessionCalendar[];
}

export interface OutageMonitorOptions {
  readonly environment: 'sandbox' | 'production';
  readonly connection: () => Pick<Connection, 'outage' | 'indicators'>;
  readonly rows: Pick<RowTable, 'all'>;
}

export function createOutageMonitor({ environment, connection, rows }: OutageMonitorOptions): OutageMonitor {
  let hasCaughtUp = false;
  const current = (): Connection['outage'] => {
    const { outage, indicators } = connection();
    if (outage !== null) return outage;
    // Judged by the times of the data, not by the socket: a connection may be open for hours and bring nothing.
    const isStale = indicators.fresh.state === 'down' && rows.all().some((row) => row.coverage === 'full');
    if (!hasCaughtUp || !isStale) return null;
    return {
      since: indicators.fresh.since,
      cause: 'The connection is open, and nothing new comes: every watched signal is stale.',
    };
  };
  return {
    outage: current,
    isConnected: () => hasCaughtUp && current() === null,
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
