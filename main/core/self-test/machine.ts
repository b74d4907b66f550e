// Main, core: the self-test as a pure machine: from a state and an event to next state and effects.
import type { SelfTestStepName } from '../../../shared/channels/self-test.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import type { SendResult } from './sender.ts';
import {
  currentStep,
  end,
  initialState,
  isWaiting,
  type SelfTestState,
  type StepResult,
  selfTestNotificationId,
  settle,
  stepOf,
} from './state.ts';

export interface Machine {
  /** Kept in the ledger's metadata, so that a restart continues it. */
  readonly test: SelfTestState;
  /** The step that the machine waits for, and since when, this computer's clock, ms. */
  readonly waiting: { readonly step: SelfTestStepName; readonly since: number } | null;
}

/** The ledger's data on the test event and on the notification; null: none. */
export interface Observation {
  readonly entry: { readonly ledgerId: number; readonly sources: readonly string[] } | null;
  readonly notification: { readonly outcome: string; readonly detail: Message | null } | null;
}

/** `at`: this computer's clock, ms. */
export type MachineEvent = { readonly at: number } & (
  | { readonly type: 'sent'; readonly result: Result<SendResult, Message> }
  | ({ readonly type: 'observed' } & Observation)
  /** The result of the effect `evaluate`. */
  | { readonly type: 'evaluated'; readonly isNotified: boolean; readonly why: Message | null }
  | { readonly type: 'acknowledged'; readonly detail: Message }
  /** The program was restarted during the test. */
  | { readonly type: 'resumed' }
  /** The ledger could not be read or written. */
  | { readonly type: 'ledgerFailed'; readonly why: Message }
);

export type Effect =
  | { readonly type: 'send'; readonly symbol: string }
  | { readonly type: 'evaluate'; readonly symbol: string }
  /** Writes into the event's trace that it was a test. */
  | { readonly type: 'trace'; readonly ledgerId: number }
  | { readonly type: 'notify'; readonly id: string; readonly symbol: string }
  /** Withdraws a notification that the desktop did not accept, so that it is not retried. */
  | { readonly type: 'withdraw'; readonly id: string };

type Step = readonly [Machine, readonly Effect[]];

/** Limit for stream and webhook, ms: a slower one is a fault even in quiet times. */
const SOURCE_LIMIT = 15 * SECOND_MS;
/** Limit for the desktop, ms. */
const DESKTOP_LIMIT = 20 * SECOND_MS;
/** Limit for a person, ms. */
const PERSON_LIMIT = 5 * MINUTE_MS;
/** Age at which an interrupted self-test ends, ms: the user no longer expects its notification. */
const FORGOTTEN = 10 * MINUTE_MS;

export const begin = (symbol: string, at: number): Step => [
  { test: initialState(symbol, at), waiting: null },
  [{ type: 'send', symbol }],
];

/** A test that has ended does not change. */
export function next(machine: Machine, event: MachineEvent): Step {
  const { test } = machine;
  if (test.ended_at !== null) return [machine, []];
  const { at } = event;
  switch (event.type) {
    case 'sent':
      return event.result.ok
        ? [withTest(machine, sent(test, event.result.value, at)), []]
        : stopAt(machine, 'sent', event.result.error, at);
    case 'observed':
      return observed(machine, event, at);
    case 'evaluated':
      if (!event.isNotified) return stopAt(machine, 'matched', event.why, at);
      return [
        withTest(machine, settle(test, 'matched', passed(event.why), at)),
        [{ type: 'notify', id: selfTestNotificationId(test), symbol: test.symbol }],
      ];
    case 'acknowledged':
      return [withTest(machine, settle(test, 'acknowledged', passed(event.detail), at)), []];
    case 'resumed':
      return resumed(machine, at);
    case 'ledgerFailed': {
      const step = currentStep(test);
      const stopped = step === null ? test : settle(test, step, failed(event.why), at);
      return [withTest(machine, end(stopped, at)), []];
    }
  }
}

const passed = (detail: Message | null): StepResult => ({ outcome: 'passed', detail });
const failed = (detail: Message | null): StepResult => ({ outcome: 'failed', detail });
const withTest = (machine: Machine, test: SelfTestState): Machine => ({ ...machine, test });

const finish = (machine: Machine, at: number): Step => [
  withTest(machine, end(machine.test, at)),
  [{ type: 'withdraw', id: selfTestNotificationId(machine.test) }],
];
const stopAt = (machine: Machine, step: SelfTestStepName, detail: Message | null, at: number): Step =>
  finish(withTest(machine, settle(machine.test, step, failed(detail), at)), at);

function sent(test: SelfTestState, { method, eventId, detail, stream, webhook }: SendResult, at: number) {
  const begun = settle({ ...test, method, event_id: eventId }, 'sent', passed(detail), at);
  return settle(settle(begun, 'stream', stream, at), 'webhook', webhook, at);
}

function resumed(machine: Machine, at: number): Step {
  const age = at - Date.parse(machine.test.began_at);
  const step = currentStep(machine.test);
  // The service may or may not have received the request; an old test does not continue either.
  if (step === 'sent' || step === null || age < 0 || age > FORGOTTEN)
    return stopAt(machine, step ?? 'acknowledged', message('self_test.restarted'), at);
  return [machine, []];
}

/** Advances as far as the observation allows. */
function observed(machine: Machine, observation: Observation, at: number): Step {
  let now = machine;
  const effects: Effect[] = [];
  for (;;) {
    const step = currentStep(now.test);
    const [moved, more] = step === null ? finish(now, at) : STEPS[step](now, observation, at);
    now = moved;
    effects.push(...more);
    // The observation does not settle this step.
    if (now.test.ended_at !== null || currentStep(now.test) === step) return [now, effects];
  }
}

type StepFunction = (machine: Machine, observation: Observation, at: number) => Step;
const STEPS: Readonly<Record<SelfTestStepName, StepFunction>> = {
  sent: (machine) => [machine, []],
  stream: sourcesStep,
  webhook: sourcesStep,
  written: ledgerStep,
  matched: (machine) => [machine, [{ type: 'evaluate', symbol: machine.test.symbol }]],
  dispatched: desktopStep,
  shown: desktopStep,
  acknowledged(machine, _, at) {
    const [waiting, isLate] = waitFor(machine, 'acknowledged', PERSON_LIMIT, at);
    return isLate
      ? stopAt(
          waiting,
          'acknowledged',
          message('self_test.not_acknowledged', { minutes: PERSON_LIMIT / MINUTE_MS }),
          at,
        )
      : [waiting, []];
  },
};

/** @returns the machine, waiting for this step, and whether it has waited for `limit` ms */
function waitFor(machine: Machine, step: SelfTestStepName, limit: number, at: number): [Machine, boolean] {
  const { waiting } = machine;
  // A clock that was set back restarts the step's time.
  if (waiting === null || waiting.step !== step || at < waiting.since)
    return [{ ...machine, waiting: { step, since: at } }, limit <= 0];
  return [machine, at - waiting.since >= limit];
}

function sourcesStep(machine: Machine, { entry }: Observation, at: number): Step {
  const [waiting, isLate] = waitFor(machine, 'stream', SOURCE_LIMIT, at);
  const sources = entry?.sources ?? [];
  const late = { seconds: SOURCE_LIMIT / SECOND_MS, sources };
  const settleSource = (
    test: SelfTestState,
    step: 'stream' | 'webhook',
    { source, proof, missing }: { source: string; proof: Message | null; missing: Message },
  ): SelfTestState => {
    if (!isWaiting(test, step)) return test;
    if (sources.includes(source)) return settle(test, step, passed(proof), at);
    return isLate ? settle(test, step, failed(missing), at) : test;
  };
  const streamed = settleSource(waiting.test, 'stream', {
    source: 'stream',
    proof: null,
    missing: message('self_test.late_stream', late),
  });
  const delivered = settleSource(streamed, 'webhook', {
    source: 'relay',
    proof: message('self_test.signed'),
    missing: message('self_test.late_webhook', late),
  });
  return [withTest(waiting, delivered), []];
}

function ledgerStep(machine: Machine, { entry }: Observation, at: number): Step {
  const { test } = machine;
  if (test.method === 'none') {
    const detail = message('self_test.nothing_arrived');
    return [withTest(machine, settle(test, 'written', { outcome: 'skipped', detail }, at)), []];
  }
  const where = entry === null ? null : message('self_test.entry', { ledgerId: entry.ledgerId });
  const written: Machine = withTest(machine, settle(test, 'written', passed(where), at));
  if (test.method === 'repeat') {
    // A repeated event was in the ledger before the test: only a new arrival proves anything.
    const hasArrived = (['stream', 'webhook'] as const).some((step) => stepOf(test, step)?.outcome === 'passed');
    return hasArrived ? [written, []] : finish(machine, at);
  }
  if (entry === null) return stopAt(machine, 'written', message('self_test.not_brought'), at);
  return [written, [{ type: 'trace', ledgerId: entry.ledgerId }]];
}

function desktopStep(machine: Machine, { notification }: Observation, at: number): Step {
  const isAway = notification?.detail?.code === 'delivery.away';
  if (notification !== null && (notification.outcome === 'shown' || isAway)) {
    const dispatched = settle(machine.test, 'dispatched', passed(null), at);
    const shown =
      notification.outcome === 'shown'
        ? passed(notification.detail)
        : failed(message('self_test.app_only', { why: notification.detail ?? plainMessage('') }));
    return [withTest(machine, settle(dispatched, 'shown', shown, at)), []];
  }
  const [waiting, isLate] = waitFor(machine, 'dispatched', DESKTOP_LIMIT, at);
  if (!isLate) return [waiting, []];
  const why = notification?.detail ?? plainMessage('');
  const detail = message('self_test.not_accepted', { seconds: DESKTOP_LIMIT / SECOND_MS, why });
  return stopAt(waiting, 'dispatched', detail, at);
}
