// Main, core: decides whether a notification still has an event that nobody has dealt with.
import type { Ledger } from '../ledger/ledger.ts';
import { isAcknowledgedOrNormal } from './acknowledged-or-normal.ts';
import type { DispatchPolicy } from './policy.ts';

export interface OpenEventsDeps {
  readonly ledger: Pick<Ledger, 'notifications' | 'annotations' | 'entries'>;
  readonly policy: Pick<DispatchPolicy, 'snoozedBy'>;
}

/**
 * True while one of its events is neither acknowledged, nor Normal, nor held back. Good news needs nobody.
 * @param heldBackBy by a snooze or a silence, where it is not given
 */
export const hasOpenEvent = (
  { ledger, policy }: OpenEventsDeps,
  id: string,
  heldBackBy: DispatchPolicy['mutedBy'] = policy.snoozedBy,
): boolean =>
  ledger.notifications.eventsOf(id).some((ledgerId) => {
    const [entry] = ledger.entries.byLedgerIds([ledgerId]);
    if (entry === undefined || entry.to_state === 0) return false;
    return !isAcknowledgedOrNormal(ledger, ledgerId) && heldBackBy(entry) === null;
  });
