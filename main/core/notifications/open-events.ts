// Main, core: decides whether a notification still has an event that nobody has dealt with.
import type { Ledger } from '../ledger/ledger.ts';
import { isAcknowledgedOrNormal } from './acknowledged-or-normal.ts';
import type { DispatchPolicy } from './policy.ts';

export interface OpenEventsDeps {
  readonly ledger: Pick<Ledger, 'notifications' | 'annotations' | 'entries'>;
  readonly policy: Pick<DispatchPolicy, 'snoozedBy'>;
}

/**
 * When the first of its events came that is neither acknowledged, nor Normal, nor held back, this computer's clock,
 * ms; null: none is open. Good news needs nobody.
 * @param heldBackBy by a snooze or a silence, where it is not given
 */
export function openSince(
  { ledger, policy }: OpenEventsDeps,
  id: string,
  heldBackBy: DispatchPolicy['mutedBy'] = policy.snoozedBy,
): number | null {
  for (const ledgerId of ledger.notifications.eventsOf(id)) {
    const [entry] = ledger.entries.byLedgerIds([ledgerId]);
    if (entry === undefined || entry.to_state === 0) continue;
    if (!isAcknowledgedOrNormal(ledger, ledgerId) && heldBackBy(entry) === null) return entry.received_ms;
  }
  return null;
}

export const hasOpenEvent = (...given: Parameters<typeof openSince>): boolean => openSince(...given) !== null;
