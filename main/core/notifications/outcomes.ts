// Main, core: records the outcome of each delivery attempt, in the ledger and the traces of alerts.
import type { Clock } from '../../../shared/lib/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { EventBus } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { DeliveryOutcome } from '../ledger/notification-outcomes.ts';
import type { PendingNotification } from '../ledger/notifications.ts';

/** Before this a retry usually succeeds, ms. */
const FAILING_AFTER = 2 * MINUTE_MS;

export function createOutcomes({
  ledger,
  clock,
  events,
}: {
  readonly ledger: Pick<Ledger, 'notifications' | 'trace' | 'transaction'>;
  readonly clock: Clock;
  readonly events: Pick<EventBus, 'emit'>;
}) {
  const emit = (touched: readonly number[]): void => {
    if (touched.length > 0) events.emit('alertsChanged', { ledgerIds: touched });
  };
  return {
    isOpen: (id: string): boolean => isOpenOutcome(ledger.notifications.find(id)?.outcome),
    hasGrown: ({ id, revision }: PendingNotification): boolean =>
      (ledger.notifications.find(id)?.revision ?? 0) > revision,
    record(notification: PendingNotification, outcome: DeliveryOutcome, detail: Message | null): void {
      const touched = ledger.transaction(() => {
        const at = clock.now();
        const about = ledger.notifications.record(notification.id, outcome, at, detail, notification.revision);
        // A repeat of the previous failure adds nothing to the trace.
        if (outcome !== 'failed' || notification.attempts === 0) {
          ledger.trace.appendToAll(about, 'dispatched', dispatchedTo(notification), at);
          ledger.trace.appendToAll(about, 'answered', answeredWith(outcome, detail), at);
        }
        return about;
      });
      emit(touched);
    },
    /** Says on the desktop, once a day, that a channel accepts nothing. */
    reportFailing({ channel, since }: PendingNotification, why: Message): void {
      const now = clock.now();
      if (channel === 'desktop' || now - since < FAILING_AFTER) return;
      const minutes = Math.round((now - since) / MINUTE_MS);
      const reason = message('notice.channel', { channel, minutes, why });
      const id = `barograph:rule:channel-fails:${channel}:${Math.floor(now / DAY_MS)}`;
      ledger.transaction(() => ledger.notifications.writeNotice({ id, kind: 'notice', reason }, now));
    },
    /** @returns false unless it is a pending notification of the desktop */
    takenByWindow(id: string, browserRevision?: number): boolean {
      const found = ledger.notifications.find(id);
      if (found?.channel !== 'desktop' || !isOpenOutcome(found.outcome)) return false;
      // Its last revision was not attempted yet, so the window may not have it.
      if (found.outcome === 'intent' && found.revision > 1) return false;
      if (browserRevision !== undefined && browserRevision !== found.revision) return false;
      const shown = message(browserRevision === undefined ? 'delivery.in_window' : 'delivery.in_browser');
      const touched = ledger.transaction(() => {
        const at = clock.now();
        const about = ledger.notifications.record(id, 'in_app', at, shown);
        ledger.trace.appendToAll(about, 'answered', answeredWith('in_app', shown), at);
        return about;
      });
      emit(touched);
      return true;
    },
  };
}

export type Outcomes = ReturnType<typeof createOutcomes>;

export const isOpenOutcome = (outcome: string | undefined): boolean => outcome === 'intent' || outcome === 'failed';

const dispatchedTo = ({ channel, id }: PendingNotification): Message =>
  channel === 'desktop' ? message('trace.to_desktop', { id }) : message('trace.to_channel', { rule: channel, id });

const answeredWith = (outcome: DeliveryOutcome, detail: Message | null): Message =>
  detail === null ? message('trace.answered', { outcome }) : message('trace.answered_with', { outcome, detail });
