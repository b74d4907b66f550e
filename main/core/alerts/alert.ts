// Main, core: builds the windows' view of a ledger entry.
import { type Alert, AlertSchema } from '../../../shared/channels/state.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NotificationRow } from '../ledger/notifications.ts';
import { transitionOf } from '../ledger/transition.ts';

const SourcesSchema = AlertSchema.shape.sources;

/** An alert's data from the ledger alone. */
export type AlertFacts = Omit<Alert, 'watched' | 'needs_attention'>;

export interface AlertSources {
  readonly ledger: Pick<Ledger, 'notifications' | 'annotations'>;
  readonly isWatched: (symbol: string) => boolean;
  /** Ledger ids of the alerts that need attention. */
  readonly attention: ReadonlySet<number>;
}

/** @returns null where the entry is no transition */
export function alertOf(row: EntryRow, { ledger, isWatched, attention }: AlertSources): Alert | null {
  const facts = alertFactsOf(row, ledger);
  if (facts === null) return null;
  return {
    ...facts,
    watched: isWatched(facts.transition.symbol),
    needs_attention: attention.has(row.ledger_id),
  };
}

export function alertFactsOf(row: EntryRow, ledger: Pick<Ledger, 'notifications' | 'annotations'>): AlertFacts | null {
  const transition = transitionOf(row);
  if (transition === null) return null;
  const { ackedAt, note } = ledger.annotations.of(row.ledger_id);
  const notifications = ledger.notifications.of(row.ledger_id);
  return {
    transition,
    ledger_id: row.ledger_id,
    sources: SourcesSchema.parse(row.sources.split(',')),
    received_at: timestamp(row.received_ms),
    // Most entries have no notification.
    dispatch: notifications.length === 0 ? null : ledger.notifications.dispatchOf(row.ledger_id),
    ...notificationStateOf(notifications),
    decision: row.decision,
    acked_at: ackedAt === null ? null : timestamp(ackedAt),
    note,
  };
}

const NOTIFIED = ['intent', 'failed', 'shown', 'in_app', 'digest'];

/** On the desktop, alone or listed in a digest. */
export const isNotified = (own: readonly NotificationRow[]): boolean =>
  own.some(({ channel, outcome }) => channel === 'desktop' && NOTIFIED.includes(outcome));

function notificationStateOf(own: readonly NotificationRow[]): Pick<Alert, 'notification_status' | 'reason'> {
  if (isNotified(own)) return { notification_status: 'notified', reason: '' };
  const last = own.findLast(({ channel }) => channel === 'desktop');
  if (last === undefined) return { notification_status: 'none', reason: '' };
  return { notification_status: last.outcome === 'dropped' ? 'dropped' : 'waiting', reason: last.reason };
}
