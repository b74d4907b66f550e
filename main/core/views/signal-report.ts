// Main, core: reports the service's state and signals to notifications and the outage alarm.
import type { Connection } from '../../../shared/channels/state.ts';
import { sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { type ConnectionStore, outageOf } from '../connection/state.ts';
import type { CallRecord } from '../handlers/call-record.ts';
import type { SignalReport } from '../notifications/notifications.ts';
import type { RowTable } from '../sources/rows.ts';

export function createSignalReport(
  environment: Environment,
  connection: Pick<ConnectionStore, 'current'>,
  rows: Pick<RowTable, 'all' | 'baseRate'>,
  calls: Pick<CallRecord, 'of'>,
): SignalReport {
  const outage = (): Connection['outage'] =>
    outageOf(
      connection.current(),
      rows.all().some((row) => row.coverage === 'full'),
    );
  return {
    outage() {
      const found = outage();
      return found === null ? null : { ...found, isRefusal: connection.current().phase.name === 'refused' };
    },
    isConnected: () => connection.current().hasCaughtUp && outage() === null,
    calendars() {
      const classes = new Set(rows.all().map(({ signal }) => signal?.asset_class ?? 'etf'));
      return [
        ...new Set(
          [...(classes.size === 0 ? (['etf'] as const) : classes)].map((one) => sessionCalendarOf(one, environment)),
        ),
      ];
    },
    baseRate: rows.baseRate,
    rows: rows.all,
    record: calls.of,
    isReplay: () => connection.current().isReplay,
  };
}
