// Main, core: reports a lost ledger, and detects the removal or replacement of the open file.
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { type Message, message, textOf } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { CoreContext, CoreModule } from '../module.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerFault } from './ledger-file.ts';
import { lossMessage } from './loss.ts';

export interface LedgerWatchDeps {
  readonly context: CoreContext;
  readonly ledger: Pick<Ledger, 'loss' | 'fault' | 'openGap' | 'metadata' | 'notifications' | 'transaction'>;
  readonly restart: LedgerRestartOptions;
  /** Dispatches what was written. */
  readonly wake: () => void;
}

export interface LedgerRestartOptions {
  /** Fault after which the ledger was opened again in this run; null: none. */
  readonly after: LedgerFault | null;
  /** The ledger must be opened again. Called once. */
  readonly onFault: (fault: LedgerFault) => void;
}

/** Interval of the checks of the file, ms. */
const CHECK_INTERVAL = 1_000;

const idOf = (at: string): string => `barograph:ledger:lost:${at}`;

export function createLedgerWatch({ context, ledger, restart, wake }: LedgerWatchDeps): CoreModule {
  const { guard, ports, world, events } = context;
  const { clock } = guard;
  let cancel: Cancel = () => undefined;

  /** Reports a loss as a gap, on the desktop, and for `doctor`. */
  const report = (id: string, cause: Message, from: string): void => {
    const at = timestamp(clock.now());
    ports.logger.error({}, textOf(cause));
    ledger.transaction(() => {
      ledger.openGap('downtime', from, null, cause);
      ledger.metadata.set('loss', JSON.stringify({ at, message: cause }));
      ledger.notifications.writeNotice({ id, kind: 'outage', reason: message('ledger.alarm', { cause }) }, clock.now());
    });
    events.signal('gapsChanged');
  };
  const check = (): void => {
    const fault = ledger.fault();
    if (fault === null) return;
    cancel();
    restart.onFault(fault);
  };
  /**
   * @returns false when there is no loss, or this or an earlier run reported it: its notification is a row
   */
  const reportLoss = (): boolean => {
    const loss = ledger.loss();
    if (loss === null || ledger.notifications.find(idOf(loss.at)) !== null) return false;
    guard.run(() => report(idOf(loss.at), lossMessage(loss), loss.connectedUntil));
    return true;
  };
  return {
    on: {
      // The file was opened only now.
      ledgerWritten() {
        if (reportLoss()) wake();
      },
    },
    start() {
      const { after } = restart;
      if (!reportLoss() && after !== null) {
        const cause = message('ledger.written_back', { fault: after });
        guard.run(() => report(idOf(timestamp(clock.now())), cause, timestamp(world.now())));
      }
      cancel = every(clock, CHECK_INTERVAL, check);
    },
    stop: () => cancel(),
  };
}
