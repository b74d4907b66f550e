// Main, core: runs the self-test's machine: stores its state in the ledger, and runs its effects.

import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { err, messageOf, type Result } from '../../../shared/lib/result.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import type { Guard } from '../guard.ts';
import { type Ledger, ledgerErrorMessage } from '../ledger/ledger.ts';
import type { DryRunResult } from '../notifications/dry-run.ts';
import { begin, type Effect, type Machine, type MachineEvent, next, type Observation } from './machine.ts';
import type { SelfTestSender, SendResult } from './sender.ts';
import { readState, type SelfTestState, selfTestNotificationId } from './state.ts';

export interface SelfTestRunner {
  /** The running or last test; null: none ever ran. */
  test(): SelfTestState | null;
  isRunning(): boolean;
  begin(symbol: string): void;
  /** Continues the test that a restart interrupted. */
  resume(): void;
  /** The user acknowledged its notification. */
  acknowledge(detail: Message): void;
  /** The ledger may have the test event now. */
  observe(): void;
  stop(): void;
}

export interface SelfTestRunnerDeps {
  /** A guard with this computer's clock. */
  readonly guard: Guard;
  readonly ledger: Pick<Ledger, 'metadata' | 'entries' | 'notifications' | 'trace' | 'transaction'>;
  readonly sender: SelfTestSender;
  /** The rules' decision about a High Risk of this symbol now. */
  readonly dryRun: (symbol: string) => DryRunResult;
  /** Dispatches the pending notifications. */
  readonly wake: () => void;
  /** Shows the state, which changed. */
  readonly show: () => void;
}

/** Interval of the checks of the test's progress, ms. */
const CHECK_INTERVAL = 250;

export function createSelfTestRunner({ guard, ledger, sender, ...deps }: SelfTestRunnerDeps): SelfTestRunner {
  const { clock } = guard;
  let machine: Machine | null = null;
  let cancelCheck: Cancel = () => undefined;
  let isStopped = false;

  const isRunning = (): boolean => machine !== null && machine.test.ended_at === null;
  const store = (after: Machine): void => {
    const isChanged = after.test !== machine?.test;
    machine = after;
    if (!isChanged) return;
    try {
      ledger.metadata.set('self_test', JSON.stringify(after.test));
    } catch (error) {
      // The ledger that cannot take the state cannot record a notification either.
      [machine] = next(after, { type: 'ledgerFailed', why: ledgerErrorMessage(error), at: clock.now() });
    }
    if (!isRunning()) cancelCheck();
    deps.show();
  };
  const fail = (error: unknown): void => {
    if (machine !== null)
      store(next(machine, { type: 'ledgerFailed', why: ledgerErrorMessage(error), at: clock.now() })[0]);
  };
  /** Writes effects to the ledger before the state that claims them. */
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
  const observe = (): void => {
    if (machine === null || isStopped || !isRunning()) return;
    try {
      const { event_id: eventId } = machine.test;
      const entry = eventId === null ? undefined : ledger.entries.findById(eventId);
      dispatch({
        type: 'observed',
        entry: entry === undefined ? null : { ledgerId: entry.ledger_id, sources: entry.sources.split(',') },
        notification: notificationOf(machine.test),
        at: clock.now(),
      });
    } catch (error) {
      fail(error);
    }
  };
  const notificationOf = (test: SelfTestState): Observation['notification'] => {
    return ledger.notifications.find(selfTestNotificationId(test));
  };
  const send = async (symbol: string): Promise<void> => {
    const result: Result<SendResult, Message> = await sender
      .send(symbol)
      .catch((error) => err(plainMessage(messageOf(error))));
    dispatch({ type: 'sent', result, at: clock.now() });
  };
  const run = (step: readonly [Machine, readonly Effect[]]): void => {
    cancelCheck();
    cancelCheck = every(clock, CHECK_INTERVAL, observe);
    apply(step);
  };

  return {
    test: () => machine?.test ?? null,
    isRunning,
    begin: (symbol) => run(begin(symbol, clock.now())),
    resume() {
      const test = readState(ledger.metadata.get('self_test'));
      machine = test === null ? null : { test, waiting: null };
      if (machine !== null && isRunning()) run(next(machine, { type: 'resumed', at: clock.now() }));
    },
    acknowledge: (detail) => dispatch({ type: 'acknowledged', detail, at: clock.now() }),
    observe,
    stop() {
      isStopped = true;
      cancelCheck();
    },
  };
}

/** Writes an effect into the ledger. */
function write(ledger: SelfTestRunnerDeps['ledger'], effect: Effect, at: number): void {
  const { notifications, trace } = ledger;
  if (effect.type === 'trace')
    ledger.transaction(() => trace.append(effect.ledgerId, 'evaluated', message('decision.self_test'), at));
  else if (effect.type === 'notify') {
    const notification = { id: effect.id, kind: 'self_test', rules: [], baseRate: null, batch: null } as const;
    ledger.transaction(() =>
      notifications.write(0, { ...notification, outcome: 'intent', reason: plainMessage(effect.symbol) }, at),
    );
  } else if (effect.type === 'withdraw') {
    const outcome = notifications.find(effect.id)?.outcome;
    if (outcome === 'intent' || outcome === 'failed')
      ledger.transaction(() => notifications.record(effect.id, 'dropped', at, message('delivery.test_over')));
  }
}
