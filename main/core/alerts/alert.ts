// Main, core: builds the windows' view of a ledger entry.

import { type Alert, AlertSchema, type LocalAlert } from '../../../shared/channels/state.ts';
import { BREADTH_EVENT } from '../../../shared/settings/core-events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { holderOf } from '../desk/acts.ts';
import { assumedOf, type EntryRow } from '../ledger/entries.ts';
import { nextChange } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { NOTIFIED } from '../ledger/newest-notified.ts';
import type { NotificationRow } from '../ledger/notification-outcomes.ts';

const SourceSchema = AlertSchema.shape.sources.element;

/** An alert's data from the ledger alone. */
export type RecordedAlert = Omit<Alert, 'watched' | 'needs_attention' | 'over_since'>;

export interface AlertSources {
  readonly ledger: Pick<Ledger, 'notifications' | 'annotations' | 'entries' | 'deskActs'>;
  readonly isWatched: (symbol: string) => boolean;
  /** Ledger ids of the alerts that need attention. */
  readonly attention: ReadonlySet<number>;
}

/** @returns null where the entry is no transition */
export function alertOf(row: EntryRow, { ledger, isWatched, attention }: AlertSources): Alert | null {
  const recorded = recordedAlertOf(row, ledger);
  if (recorded === null) return null;
  const needed = attention.has(row.ledger_id);
  const overSince = needed ? overSinceOf(row, ledger) : null;
  return {
    ...recorded,
    watched: isWatched(recorded.transition.symbol),
    needs_attention: needed,
    ...(overSince === null ? {} : { over_since: timestamp(overSince) }),
  };
}

/** When the symbol left the state of this entry, world ms; null: it has not. */
export const overSinceOf = (row: EntryRow, ledger: Pick<Ledger, 'entries'>): number | null =>
  nextChange(ledger, row)?.occurredAt ?? null;

export function recordedAlertOf(
  row: EntryRow,
  ledger: Pick<Ledger, 'notifications' | 'annotations' | 'deskActs'>,
): RecordedAlert | null {
  const { transition } = row;
  if (transition === null) return null;
  const assumed = assumedOf(row);
  return {
    transition,
    ...(assumed.length === 0 ? {} : { assumed }),
    sources: row.sources.split(',').flatMap((source) => SourceSchema.safeParse(source).data ?? []),
    ...outcomeOf(row, ledger),
  };
}

/** @returns null where the entry is no such alert */
export function localAlertOf(row: EntryRow, { ledger, attention }: Omit<AlertSources, 'isWatched'>): LocalAlert | null {
  const { crossing, foreign, breadth, symbol, event_id, occurredAt } = row;
  const needs_attention = attention.has(row.ledger_id);
  const common = { event_id, at: timestamp(occurredAt), needs_attention, ...outcomeOf(row, ledger) };
  if (crossing !== undefined) return { ...common, symbol: crossing.symbol, crossing };
  if (foreign !== undefined) return { ...common, symbol, foreign };
  if (breadth === undefined || row.event !== BREADTH_EVENT) return null;
  const overSince = overSinceOf(row, ledger);
  return { ...common, symbol, breadth, ...(overSince === null ? {} : { over_since: timestamp(overSince) }) };
}

/** The outcome of an entry: decision, notification, acknowledgement, note. */
function outcomeOf(row: EntryRow, ledger: Pick<Ledger, 'notifications' | 'annotations' | 'deskActs'>) {
  const { ackedAt, note } = ledger.annotations.of(row.ledger_id);
  const notifications = ledger.notifications.of(row.ledger_id);
  return {
    ledger_id: row.ledger_id,
    received_at: timestamp(row.received_ms),
    // Most entries have no notification.
    dispatch: notifications.length === 0 ? null : ledger.notifications.dispatchOf(row.ledger_id),
    ...notificationStateOf(notifications),
    ...baseRateOf(notifications),
    decision: row.decision,
    ...ackedOf(ackedAt, row.event_id, ledger),
    note,
  };
}

/** When it was acknowledged, and by whom, where a desk says so. */
function ackedOf(at: number | null, eventId: string, { deskActs }: Pick<Ledger, 'deskActs'>) {
  if (at === null) return { acked_at: null };
  const by = holderOf(deskActs.of(eventId))?.by;
  return { acked_at: timestamp(at), ...(by === undefined ? {} : { acked_by: by }) };
}

/** True where the desktop showed it, alone or listed in a digest. */
export const isNotified = (own: readonly NotificationRow[]): boolean =>
  own.some(({ channel, outcome }) => channel === 'desktop' && NOTIFIED.includes(outcome));

/** The base rate that a notification stated. */
function baseRateOf(own: readonly NotificationRow[]): Pick<Alert, 'base_rate'> {
  const rate = own.findLast(({ baseRate }) => baseRate !== null)?.baseRate ?? null;
  return rate === null ? {} : { base_rate: rate };
}

function notificationStateOf(own: readonly NotificationRow[]): Pick<Alert, 'notification_status' | 'reason'> {
  if (isNotified(own)) return { notification_status: 'notified', reason: null };
  const last = own.findLast(({ channel }) => channel === 'desktop');
  if (last === undefined) return { notification_status: 'none', reason: null };
  return { notification_status: last.outcome === 'dropped' ? 'dropped' : 'waiting', reason: last.reason };
}
