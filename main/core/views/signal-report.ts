// Main, core: reports the service's state and signals to notifications and the outage alarms.
import type { Connection, Row } from '../../../shared/channels/state.ts';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import { message } from '../../../shared/text/message.ts';
import { type ConnectionStore, outageOf } from '../connection/state.ts';
import type { CallRecord } from '../handlers/call-record.ts';
import type { CoreContext } from '../module.ts';
import type { SignalReport } from '../notifications/notifications.ts';
import type { Watch } from '../profiles/watch.ts';
import type { RowTable } from '../rows.ts';
import type { DueLookup } from '../scheduled/scheduled.ts';

/** Most stale symbols that are named; more are counted. */
const MAX_NAMED = 3;

export function createSignalReport(
  { calendarOf }: Pick<CoreContext, 'calendarOf'>,
  connection: Pick<ConnectionStore, 'current'>,
  rows: Pick<RowTable, 'all' | 'baseRate' | 'get'>,
  watch: Pick<Watch, 'lists'>,
  calls: Pick<CallRecord, 'of'>,
  scheduled: DueLookup,
): SignalReport {
  const covered = (): Row[] => rows.all().filter((row) => row.coverage === 'full');
  const outage = (): Connection['outage'] => outageOf(connection.current(), covered().length > 0);
  const isConnected = (): boolean => connection.current().hasCaughtUp && outage() === null;
  return {
    outage() {
      const found = outage();
      return found === null ? null : { ...found, isRefusal: connection.current().phase.name === 'refused' };
    },
    isConnected,
    calendars() {
      const all = rows.all();
      return all.length === 0 ? [calendarOf(null)] : [...new Set(all.map(({ symbol }) => calendarOf(symbol)))];
    },
    market(calendar) {
      const ofMarket = (): Row[] => covered().filter(({ symbol }) => calendarOf(symbol) === calendar);
      return {
        outage() {
          if (!isConnected()) return null;
          // Prices that ended long ago cause no report.
          const awaited = ofMarket().filter(({ signal }) => signal?.data_health !== 'stale');
          if (awaited.length === 0 || awaited.some(({ stale }) => !stale)) return null;
          const symbols = awaited.map(({ symbol }) => symbol);
          const named = symbols.slice(0, MAX_NAMED);
          return {
            since: null,
            cause: message('connection.stale_symbols', {
              symbols: named.join(', '),
              more: symbols.length - named.length,
            }),
            isRefusal: false,
          };
        },
        isConnected: () => isConnected() && ofMarket().some(({ stale }) => !stale),
        calendars: () => [calendar],
      };
    },
    baseRate: rows.baseRate,
    rows: rows.all,
    riskOrder: () => riskOrder(watch.lists(), rows.get),
    record: calls.of,
    due: scheduled.due,
    unread: scheduled.unread,
    isReplay: () => connection.current().isReplay,
  };
}
