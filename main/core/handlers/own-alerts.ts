// Main, core: the user's High Risk alerts of the last twelve months: what came of them, when they were acknowledged.

import { setImmediate as turn } from 'node:timers/promises';
import { MAX_OWN_ALERTS, type OwnAlerts } from '../../../shared/channels/worth.ts';
import type { CalendarOf } from '../../../shared/domain/sessions.ts';
import { whatFollowed } from '../../../shared/domain/what-followed.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { isNotified } from '../alerts/alert.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RowTable } from '../rows.ts';

export interface OwnAlertDeps {
  readonly ledger: Pick<Ledger, 'entries' | 'annotations' | 'notifications'>;
  readonly rows: Pick<RowTable, 'get'>;
  /** World time, ms. */
  readonly worldNow: () => number;
  readonly calendarOf: CalendarOf;
}

const YEAR_MS = 365 * DAY_MS;
/** More than 21 sessions of any calendar. */
const FOLLOWED_MS = 45 * DAY_MS;
/** Most changes of a symbol that are read. */
const MAX_CHANGES = 2_000;

/** An alert reached the user if it was notified, or acknowledged. Reads symbol by symbol, with pauses. */
export async function ownAlerts(deps: OwnAlertDeps, symbols: readonly string[]): Promise<OwnAlerts> {
  const from = deps.worldNow() - YEAR_MS;
  const alerts: OwnAlerts['alerts'] = [];
  for (const symbol of symbols) {
    const changes = deps.ledger.entries.signalsOf(symbol, Math.floor(from / 1000), MAX_CHANGES);
    for (const [index, row] of changes.entries()) {
      if (row.to_state !== 2) continue;
      const end = changes.findIndex((one, at) => at > index && one.occurredAt > row.occurredAt + FOLLOWED_MS);
      alerts.push(...ownAlertOf(row, changes.slice(index + 1, end === -1 ? undefined : end), deps));
    }
    await turn();
  }
  alerts.sort((a, b) => a.at.localeCompare(b.at));
  return { from: timestamp(from), alerts: alerts.slice(-MAX_OWN_ALERTS) };
}

function ownAlertOf(
  { ledger_id, transition, received_ms }: EntryRow,
  later: readonly EntryRow[],
  { ledger, rows, worldNow, calendarOf }: OwnAlertDeps,
): OwnAlerts['alerts'] {
  const notifications = ledger.notifications.of(ledger_id);
  const { ackedAt } = ledger.annotations.of(ledger_id);
  if (transition === null || (ackedAt === null && !isNotified(notifications))) return [];
  const { symbol, asset_class: assetClass, occurred_at: at } = transition;
  return [
    {
      ledger_id,
      symbol,
      at,
      followed: whatFollowed(transition, {
        later: later.flatMap((row) => row.transition ?? []),
        present: rows.get(symbol)?.signal ?? null,
        now: worldNow(),
        calendar: calendarOf(symbol, assetClass),
      }),
      acked_after_ms: ackedAt === null ? null : Math.max(0, ackedAt - received_ms),
      usual: notifications.findLast(({ baseRate }) => baseRate !== null)?.baseRate ?? null,
    },
  ];
}
