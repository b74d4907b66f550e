// Main, core: the self-test: runs the machine, stores its state in the ledger, runs its effects.
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { SelfTestChannels, SelfTestView } from '../../../shared/channels/self-test.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { err, messageOf, type Result } from '../../../shared/lib/result.ts';
import type { Guard } from '../guard.ts';
import { type Ledger, ledgerErrorMessage } from '../ledger/ledger.ts';
import type { CoreModule } from '../module.ts';
import { begin, type Effect, type Machine, type MachineEvent, next } from './machine.ts';
import type { SelfTestSender, SendResult } from './sender.ts';
import { currentStep, readState, selfTestNotificationId, selfTestOf } from './state.ts';

export interface SelfTest extends CoreModule {
  readonly handlers: Handlers<SelfTestChannels>;
}

export interface SelfTestDeps {
  /** Its clock is this computer's. */
  readonly guard: Guard;
  readonly ledger: SelfTestLedger;
  readonly sender: SelfTestSender;
  /** The rules' decision about a High Risk of this symbol now. */
  readonly dryRun: (symbol: string) => { readonly isNotified: boolean; readonly message: string };
  /** Dispatches the ledger's intents. */
  readonly wake: () => void;
  /** Watched and covered symbols, the best one first. */
  readonly symbols: () => readonly string[];
  readonly broadcast: (name: 'selfTest.changed', view: SelfTestView) => void;
}
type SelfTestLedger = Pick<Ledger, 'metadata' | 'entries' | 'notifications' | 'trace' | 'transaction'>;

/** Interval of the checks of its progress, ms. */
const CHECK_INTERVAL = 250;

/** Starts before open intents are dispatched: a test that a restart ended withdraws its notification. */
export function createSelfTest({ guard, ledger, sender, ...deps }: SelfTestDeps): SelfTest {
  const { clock } = guard;
  let machine: Machine | null = null;
  let cancelCheck: Cancel = () => undefined;
  let isStopped = false;

  const isRunning = (): boolean => machine !== null && machine.test.ended_at === null;
  const view = (): SelfTestView => ({
    last: machine === null ? null : selfTestOf(machine.test),
    reason: isRunning()
      ? 'A self-test is already running.'
      : deps.symbols().length === 0
        ? 'No symbol is watched. Add one to a watchlist first.'
        : null,
  });
  const store = (after: Machine): void => {
    const isChanged = after.test !== machine?.test;
    machine = after;
    if (!isChanged) return;
    try {
      ledger.metadata.set('self_test', JSON.stringify(after.test));
    } catch (error) {
      // A failed write means that no notification could be recorded either.
      [machine] = next(after, { type: 'ledgerFailed', message: ledgerErrorMessage(error), at: clock.now() });
    }
    if (!isRunning()) cancelCheck();
    deps.broadcast('selfTest.changed', view());
  };
  /** Effects are written to the ledger before the state that claims them. */
  const apply = ([after, effects]: readonly [Machine, readonly Effect[]]): void => {
    try {
      for (const effect of effects) write(ledger, effect, clock.now());
    } catch (error) {
      fail(error);
      return;
    }
    store(after);
    for (const effect of effects) {
      if (effect.type === 'send') guard.go(send(effect.symbol));
      else if (effect.type === 'evaluate')
        dispatch({ type: 'evaluated', ...deps.dryRun(effect.symbol), at: clock.now() });
      else if (effect.type === 'notify') deps.wake();
    }
  };
  const dispatch = (event: MachineEvent): void => {
    if (machine === null || isStopped || !isRunning()) return;
    apply(next(machine, event));
    if (event.type !== 'observed') observe();
  };
  const fail = (error: unknown): void => {
    if (machine !== null)
      store(next(machine, { type: 'ledgerFailed', message: ledgerErrorMessage(error), at: clock.now() })[0]);
  };
  const observe = (): void => {
    if (machine === null || isStopped || !isRunning()) return;
    try {
      const { event_id: eventId } = machine.test;
      const entry = eventId === null ? undefined : ledger.entries.findById(eventId);
      dispatch({
        type: 'observed',
        entry: entry === undefined ? null : { ledgerId: entry.ledger_id, sources: entry.sources.split(',') },
        notification: ledger.notifications.find(selfTestNotificationId(machine.test)),
        at: clock.now(),
      });
    } catch (error) {
      fail(error);
    }
  };
  const watch = (): void => {
    cancelCheck();
    cancelCheck = every(clock, CHECK_INTERVAL, observe);
  };
  const send = async (symbol: string): Promise<void> => {
    const result: Result<SendResult, string> = await sender.send(symbol).catch((error) => err(messageOf(error)));
    dispatch({ type: 'sent', result, at: clock.now() });
  };

  return {
    handlers: {
      'selfTest.read': view,
      'selfTest.run': () => {
        const { reason } = view();
        if (reason !== null) throw new RefusedError({ code: 'refused', message: reason });
        watch();
        apply(begin(deps.symbols()[0] ?? '', clock.now()));
        return {};
      },
      'selfTest.acknowledge': () => {
        if (machine === null || !isRunning() || currentStep(machine.test) !== 'acknowledged')
          throw new RefusedError({ code: 'refused', message: 'No self-test is waiting to be acknowledged.' });
        dispatch({ type: 'acknowledged', detail: 'In Barograph.', at: clock.now() });
        return {};
      },
    },
    start: () =>
      guard.run(() => {
        const test = readState(ledger.metadata.get('self_test'));
        machine = test === null ? null : { test, waiting: null };
        if (machine === null || !isRunning()) return;
        watch();
        apply(next(machine, { type: 'resumed', at: clock.now() }));
      }),
    stop() {
      isStopped = true;
      cancelCheck();
    },
    on: {
      recorded: observe,
      notificationClicked({ notificationId }) {
        if (machine !== null && notificationId === selfTestNotificationId(machine.test))
          dispatch({ type: 'acknowledged', detail: 'By a click on the notification.', at: clock.now() });
      },
    },
  };
}

/** Writes an effect into the ledger. */
function write(ledger: SelfTestLedger, effect: Effect, at: number): void {
  const { notifications, trace } = ledger;
  if (effect.type === 'trace')
    ledger.transaction(() => trace.note(effect.ledgerId, 'evaluated', 'A self-test, not an alert.', at));
  else if (effect.type === 'notify') {
    const notification = { id: effect.id, kind: 'self_test', rules: [], baseRate: null, batch: null } as const;
    ledger.transaction(() => notifications.write(0, { ...notification, outcome: 'intent', reason: effect.symbol }, at));
  } else if (effect.type === 'withdraw') {
    const outcome = notifications.find(effect.id)?.outcome;
    if (outcome === 'intent' || outcome === 'failed')
      ledger.transaction(() => notifications.record(effect.id, 'dropped', at, 'The self-test is over.'));
  }
}
