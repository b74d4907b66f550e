// Main, core: tells the receivers of channels that a notification was dealt with, wherever that happened.
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { optionalText } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Followers } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { dispatchId } from '../ledger/notification-ids.ts';
import type { SentNotification, Settlement } from '../ledger/notification-settlement.ts';
import type { Logger } from '../ports.ts';
import { isAcknowledgedOrNormal, isNormalAgain } from './acknowledged-or-normal.ts';
import type { NotificationSender } from './sender.ts';

export interface SettlementModule {
  readonly on: Required<Pick<Followers, 'recorded' | 'alertsChanged'>>;
  /** Tells what an earlier run had not told. */
  start(): void;
  stop(): void;
}

export interface SettlementDeps {
  readonly ledger: Pick<Ledger, 'notifications' | 'annotations' | 'entries' | 'trace'>;
  readonly sender: Pick<NotificationSender, 'settle' | 'canSettle'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Pause before a check, ms: an acknowledgement of many is one check. */
const PAUSE = 500;
/** Pause before a receiver that did not answer is told again, ms. */
const RETRY = MINUTE_MS;
/** How long a receiver is told of the end, ms after the notification; Telegram takes changes for two days. */
const TOLD_FOR = 2 * DAY_MS;

export function createSettlement({ ledger, sender, clock, logger }: SettlementDeps): SettlementModule {
  const { notifications } = ledger;
  let pending: Cancel | null = null;
  let isRunning = false;
  let isStopped = false;

  /** null: somebody should still deal with it. */
  const settlementOf = (id: string): Extract<Settlement, 'acknowledged' | 'over'> | null => {
    const events = notifications.eventsOf(id);
    // Good news is over by itself, and its message says so.
    if (ledger.entries.byLedgerIds(events).every(({ to_state }) => to_state === 0)) return null;
    if (!events.every((event) => isAcknowledgedOrNormal(ledger, event))) return null;
    return events.every((event) => isNormalAgain(ledger, event)) ? 'over' : 'acknowledged';
  };
  /** Who dealt with it, as the trace has it. */
  const textOf = (id: string, settlement: 'acknowledged' | 'over'): string => {
    const steps = notifications.eventsOf(id).flatMap((event) => ledger.trace.of(event));
    const last = steps.findLast(({ step }) => step === 'acknowledged');
    return texts.notifications.settled[settlement](optionalText(last?.detail ?? null));
  };
  const tell = async (sent: SentNotification, settlement: 'acknowledged' | 'over'): Promise<void> => {
    const id = dispatchId({ ...sent, kind: 'alert' });
    try {
      const isTold = await sender.settle(sent, { id, settlement, text: textOf(id, settlement) });
      notifications.settle(sent.id, isTold ? settlement : 'given_up');
    } catch (error) {
      logger.warn(
        { id: sent.id, problem: messageOf(error) },
        'a receiver could not be told that an alert was dealt with',
      );
      checkAfter(RETRY);
    }
  };
  const check = async (): Promise<void> => {
    if (isRunning || isStopped) return;
    isRunning = true;
    try {
      for (const sent of notifications.sent(clock.now() - TOLD_FOR)) {
        if (sent.settled === 'over' || sent.settled === 'given_up' || !sender.canSettle(sent.channel)) continue;
        const settlement = settlementOf(dispatchId({ ...sent, kind: 'alert' }));
        if (settlement !== null && settlement !== sent.settled) await tell(sent, settlement);
        if (isStopped) return;
      }
    } finally {
      isRunning = false;
    }
  };
  const checkAfter = (pause: number): void => {
    if (isStopped) return;
    pending?.();
    pending = clock.after(pause, () => {
      pending = null;
      void check();
    });
  };
  return {
    on: {
      recorded({ added }) {
        if (added.some(({ event }) => event.transition?.to_state === 0)) checkAfter(PAUSE);
      },
      alertsChanged: () => checkAfter(PAUSE),
    },
    start: () => checkAfter(PAUSE),
    stop() {
      isStopped = true;
      pending?.();
    },
  };
}
