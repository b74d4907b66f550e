// Main, core: while one symbol, usually that of the market, is High Risk, the alerts of others are listed in its
// notification, or held back once that was acknowledged.
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MAX_JOINED } from './growth.ts';
import type { RuleStore } from './rule-store.ts';

/** A High Risk that holds back other alerts. */
export interface Inhibitor {
  readonly symbol: string;
  /** Id of its notification, which others join; null: it was acknowledged. */
  readonly notificationId: string | null;
}

export interface InhibitionDeps {
  readonly ledger: Pick<Ledger, 'entries' | 'notifications' | 'annotations'>;
  readonly ruleStore: Pick<RuleStore, 'grouping'>;
  readonly world: { now(): number };
}

/**
 * What holds back an alert of this symbol now; null: nothing. A High Risk that nobody was notified of holds back
 * nothing, so that an alert is never silent.
 */
export function inhibitorOf({ ledger, ruleStore, world }: InhibitionDeps, symbol: string | null): Inhibitor | null {
  const { inhibited_by: by } = ruleStore.grouping();
  if (by === null || symbol === null || symbol === by) return null;
  // The clock of the service may be ahead of what is known of it.
  const newest = ledger.entries.signalBefore(by, Math.floor((world.now() + DAY_MS) / 1000));
  if (newest?.to_state !== 2) return null;
  const dispatch = ledger.notifications.dispatchOf(newest.ledger_id);
  if (dispatch === null) return null;
  const { notification_id: id } = dispatch;
  if ((ledger.notifications.find(id)?.revision ?? 0) >= MAX_JOINED) return null;
  const isAcknowledged = ledger.annotations.of(newest.ledger_id).ackedAt !== null;
  return { symbol: by, notificationId: isAcknowledged ? null : id };
}
