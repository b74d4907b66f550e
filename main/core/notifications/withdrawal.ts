// Main, core: withdraws a notification from desktop or browser when none of its events needs the user.
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { Followers } from '../events.ts';
import { isEnd } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Notifier } from '../ports.ts';
import { isAcknowledgedOrNormal } from './acknowledged-or-normal.ts';
import type { Offers } from './offers.ts';

export interface Withdrawal {
  readonly on: Required<Pick<Followers, 'recorded' | 'alertsChanged'>>;
  /** An earlier run withdrew its own notifications: marks them as withdrawn. */
  start(): void;
  stop(): void;
}

export interface WithdrawalDeps {
  readonly ledger: Pick<Ledger, 'notifications' | 'annotations' | 'entries'>;
  readonly notifier: Pick<Notifier, 'withdraw'>;
  readonly offers: Pick<Offers, 'withdraw'>;
  readonly clock: Clock;
}

/** Pause before a check, ms: an acknowledgement of many is one check. */
const PAUSE = 500;
/** The newest ones that are checked, to bound the work of a check; of any age, as a High Risk stays for days. */
const MAX_SHOWN = 100;

export function createWithdrawal({ ledger, notifier, offers, clock }: WithdrawalDeps): Withdrawal {
  const { notifications } = ledger;
  /** Withdrawn notifications with their revision: growth brings one back to the screen. */
  const withdrawn = new Map<string, number>();
  let pending: Cancel | null = null;

  const withdrawable = (): string[] => {
    return notifications.recent(0, clock.now(), MAX_SHOWN).flatMap(({ id, revision }) => {
      const found = notifications.find(id);
      if (withdrawn.get(id) === revision || (found?.outcome !== 'shown' && found?.outcome !== 'in_app')) return [];
      const events = notifications.eventsOf(id);
      if (!events.every((one) => isAcknowledgedOrNormal(ledger, one))) return [];
      // Keeps notifications whose events ended before they were shown; they report missed alerts.
      if (!events.some((one) => isAcknowledgedOrNormal(ledger, one, found.at))) return [];
      withdrawn.set(id, revision);
      return [id];
    });
  };
  const check = (): void => {
    pending = null;
    for (const id of withdrawable()) {
      notifier.withdraw?.(id);
      offers.withdraw(id);
    }
  };
  const checkSoon = (): void => {
    pending ??= clock.after(PAUSE, check);
  };
  return {
    on: {
      recorded({ added }) {
        if (added.some(({ event }) => isEnd(event))) checkSoon();
      },
      alertsChanged: checkSoon,
    },
    start: () => void withdrawable(),
    stop: () => pending?.(),
  };
}
