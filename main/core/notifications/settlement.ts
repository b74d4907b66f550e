// Main, core: tells the receivers of channels that a notification was dealt with, wherever that happened.
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { optionalText } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Followers } from '../events.ts';
import { isEnd } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { dispatchId } from '../ledger/notification-ids.ts';
import type { SentNotification, Settlement } from '../ledger/notification-settlement.ts';
import type { Logger } from '../ports.ts';
import { isAcknowledgedOrNormal, isNormalAgain } from './acknowledged-or-normal.ts';
import { createNextCheck } from './next-check.ts';
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
  const next = createNextCheck(clock);
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
  /** @returns whether its receiver answered */
  const tell = async (sent: SentNotification, settlement: 'acknowledged' | 'over'): Promise<boolean> => {
    const id = dispatchId({ ...sent, kind: 'alert' });
    try {
      const isTold = await sender.settle(sent, { id, settlement, text: textOf(id, settlement) });
      notifications.settle(sent.id, isTold ? settlement : 'given_up');
      return true;
    } catch (error) {
      logger.warn(
        { id: sent.id, problem: messageOf(error) },
        'a receiver could not be told that an alert was dealt with',
      );
      return false;
    }
  };
  /** @returns whether every receiver answered */
  const tellAll = async (): Promise<boolean> => {
    // One that does not answer is asked once a turn, or it would keep others waiting.
    const silent = new Set<string>();
    for (const sent of notifications.sent(clock.now() - TOLD_FOR)) {
      if (isStopped) return true;
      if (sent.settled === 'over' || sent.settled === 'given_up') continue;
      if (silent.has(sent.channel) || !sender.canSettle(sent.channel)) continue;
      const settlement = settlementOf(dispatchId({ ...sent, kind: 'alert' }));
      if (settlement === null || settlement === sent.settled) continue;
      if (!(await tell(sent, settlement))) silent.add(sent.channel);
    }
    return silent.size === 0;
  };
  const check = async (): Promise<void> => {
    // What happens while receivers are told is told after it.
    if (isRunning) {
      checkSoon();
      return;
    }
    isRunning = true;
    try {
      if (!(await tellAll())) next.within(RETRY, check);
    } catch (error) {
      logger.warn({ problem: messageOf(error) }, 'the ends of alerts could not be read; retrying');
      next.within(RETRY, check);
    } finally {
      isRunning = false;
    }
  };
  const checkSoon = (): void => next.within(PAUSE, check);
  return {
    on: {
      recorded({ added }) {
        if (added.some(({ event }) => isEnd(event))) checkSoon();
      },
      alertsChanged: checkSoon,
    },
    start: checkSoon,
    stop() {
      isStopped = true;
      next.stop();
    },
  };
}
