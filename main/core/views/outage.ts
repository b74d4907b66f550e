// Main, core: the state of the connection as the outage alarm needs it.
import type { Connection } from '../../../shared/channels/state.ts';
import { type SessionCalendar, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { type ConnectionStore, outageOf } from '../connection/state.ts';
import type { RowTable } from '../sources/rows.ts';

export interface OutageMonitor {
  /** Start, by this computer's clock, and cause; null while data arrives, or before that is known. */
  outage(): Connection['outage'];
  /** Every event was fetched at least once in this run, and the connection is good now. */
  isConnected(): boolean;
  /** Calendars of the watched symbols, each once. */
  calendars(): readonly SessionCalendar[];
}

export function createOutageMonitor(
  environment: Environment,
  connection: Pick<ConnectionStore, 'current'>,
  rows: Pick<RowTable, 'all'>,
): OutageMonitor {
  const outage = (): Connection['outage'] =>
    outageOf(
      connection.current(),
      rows.all().some((row) => row.coverage === 'full'),
    );
  return {
    outage,
    isConnected: () => connection.current().hasCaughtUp && outage() === null,
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
