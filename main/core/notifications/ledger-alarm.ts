// Main, core: notifies the desktop while the ledger's file cannot be written, and of the end.
// The ledger continues in memory meanwhile, so this notification is a row like any other.
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Followers } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Logger } from '../ports.ts';
import type { Dispatcher } from './dispatcher.ts';

export interface LedgerAlarmOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'unwritten' | 'notifications' | 'transaction' | 'count'>;
  readonly logger: Logger;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
}

export interface LedgerAlarm {
  /**
   * Ends the alarm of an earlier run that wrote its ledger into the file without a notification of the end.
   */
  start(): void;
  readonly on: Required<Pick<Followers, 'ledgerUnwritten' | 'ledgerWritten'>>;
}

/** Id of the alarm: PREFIX and the time of its start. Id of its end: the same, then END. */
const [PREFIX, END] = ['barograph:ledger@', '@back'];

export function createLedgerAlarm({ clock, ledger, logger, dispatcher }: LedgerAlarmOptions): LedgerAlarm {
  /** The current alarm, and the number of events when it began; null: none. */
  let shown: { readonly id: string; readonly events: number } | null = null;

  const put = (id: string, reason: Message): void =>
    ledger.notifications.writeNotice({ id, kind: 'outage', reason }, clock.now());
  const attempt = (work: () => void): void => {
    try {
      ledger.transaction(work);
      dispatcher.wake();
    } catch (error) {
      logger.error({ problem: messageOf(error) }, 'the alarm about the ledger could not be written');
    }
  };

  const end = (id: string, reason: () => Message): void =>
    attempt(() => {
      ledger.notifications.replaceNotice(id, clock.now());
      put(`${id}${END}`, reason());
    });

  return {
    start() {
      if (ledger.unwritten() !== null) return;
      const ids = ledger.notifications.idsAboutNoEvent(PREFIX);
      const id = ids.findLast((one) => !one.endsWith(END) && !ids.includes(one + END));
      if (id !== undefined) end(id, () => message('ledger_alarm.ended_earlier'));
    },
    on: {
      ledgerUnwritten() {
        const unwritten = ledger.unwritten();
        if (unwritten === null) return;
        // The desktop's id is the part before the @: it shows one such notification, also across restarts.
        const id = `${PREFIX}${timestamp(unwritten.since)}`;
        shown = { id, events: ledger.count() };
        attempt(() => put(id, message('ledger_alarm.began', { cause: unwritten.cause })));
      },
      ledgerWritten() {
        if (shown === null) return;
        const { id, events } = shown;
        shown = null;
        end(id, () => message('ledger_alarm.ended', { events: Math.max(0, ledger.count() - events) }));
      },
    },
  };
}
