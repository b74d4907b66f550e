// Main, core: whether new data comes, as the outage alarm asks.
import type { Connection } from '../../../shared/channels/state.ts';
import { type SessionCalendar, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { type ConnectionStore, outageOf } from '../connection/state.ts';
import type { RowTable } from '../sources/rows.ts';

export interface OutageMonitor {
  /** Since when, by this computer's clock, and why; null while data comes, or before that is known. */
  outage(): Connection['outage'];
  /** All was fetched at least once in this run, and nothing is wrong now. */
  isConnected(): boolean;
  /** Where the watched symbols trade, each once. */
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
