// Main, core: offers the notifications that the desktop has not taken to the browsers of windows.
// The browser of a window in the background shows one; the window reports that, as it reports alerts.
import type { OfferedNotification } from '../../../shared/channels/state.ts';
import type { EventBus } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PendingNotification } from '../ledger/notifications.ts';
import type { NotificationRequest } from '../ports.ts';
import { isOpenOutcome } from './outcomes.ts';

export interface Offers {
  /** The desktop is away: offers it, in place of its earlier revision. */
  add(notification: Pick<PendingNotification, 'id' | 'revision'>, request: NotificationRequest): void;
  /** The desktop took it, or it needs nobody any more: browsers close it. */
  withdraw(id: string): void;
  view(): { readonly offered?: OfferedNotification[] };
}

interface Offer {
  readonly revision: number;
  readonly request: NotificationRequest;
  readonly isWithdrawn: boolean;
}

/** The newest ones: a screen has no room for more. */
const MAX_OFFERED = 20;

export function createOffers(
  ledger: Pick<Ledger, 'notifications'>,
  events: Pick<EventBus, 'signal'>,
  profile: string,
): Offers {
  const offers = new Map<string, Offer>();
  const statusOf = (id: string, { revision, isWithdrawn }: Offer): OfferedNotification['status'] => {
    if (isWithdrawn) return 'withdrawn';
    const found = ledger.notifications.find(id);
    // A revision that grew is offered again; until then the earlier one stays as it is.
    return isOpenOutcome(found?.outcome) && found?.revision === revision ? 'open' : 'shown';
  };
  const viewOf = (id: string, offer: Offer): OfferedNotification => ({
    notification_id: id,
    revision: offer.revision,
    tag: `${profile}/${offer.request.id}`,
    title: offer.request.title,
    body: offer.request.body,
    is_urgent: offer.request.urgency === 'critical',
    is_silent: offer.request.silent,
    status: statusOf(id, offer),
  });
  return {
    add({ id, revision }, request) {
      offers.delete(id);
      offers.set(id, { revision, request, isWithdrawn: false });
      const [oldest] = offers.keys();
      if (oldest !== undefined && offers.size > MAX_OFFERED) offers.delete(oldest);
      events.signal('offersChanged');
    },
    withdraw(id) {
      const offer = offers.get(id);
      if (offer === undefined || offer.isWithdrawn) return;
      offers.set(id, { ...offer, isWithdrawn: true });
      events.signal('offersChanged');
    },
    view: () => (offers.size === 0 ? {} : { offered: [...offers].map(([id, offer]) => viewOf(id, offer)) }),
  };
}
