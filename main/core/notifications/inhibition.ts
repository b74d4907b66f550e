// Main, core: while one symbol, usually that of the market, is High Risk, the alerts of others are listed in its
// notification, or held back once that was acknowledged.
import type { State } from '../../../shared/domain/states.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MAX_JOINED } from './groups.ts';
import { isOpenOutcome } from './outcomes.ts';
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
 * What holds back an alert of this symbol that entered `state`; null: nothing. A High Risk that nobody was notified
 * of, or not yet, holds back nothing, so that an alert is never silent. A fall is good news, and is notified.
 */
export function inhibitorOf(
  { ledger, ruleStore, world }: InhibitionDeps,
  symbol: string | null,
  state: State | null,
): Inhibitor | null {
  const { inhibited_by: by } = ruleStore.grouping();
  if (by === null || symbol === null || symbol === by || (state ?? 0) === 0) return null;
  // The clock of the service may be ahead of what is known of it.
  const newest = ledger.entries.signalBefore(by, Math.floor((world.now() + DAY_MS) / 1000));
  if (newest?.to_state !== 2) return null;
  const id = ledger.notifications.dispatchOf(newest.ledger_id)?.notification_id;
  const found = id === undefined ? null : ledger.notifications.find(id);
  const isNotified = isOpenOutcome(found?.outcome) || found?.outcome === 'shown' || found?.outcome === 'in_app';
  if (id === undefined || found === null || !isNotified || found.revision >= MAX_JOINED) return null;
  const isAcknowledged = ledger.annotations.of(newest.ledger_id).ackedAt !== null;
  return { symbol: by, notificationId: isAcknowledged ? null : id };
}

/** Why an alert is held back as by a mute; null: it is not. */
export const heldBackBy = (inhibitor: Inhibitor | null): Message | null =>
  inhibitor?.notificationId === null ? message('muted.inhibited', { symbol: inhibitor.symbol }) : null;
