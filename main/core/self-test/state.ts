// Main, core: the state of a self-test: its steps, how one is settled, and the summary.
import { z } from 'zod';
import {
  SELF_TEST_STEPS,
  type SelfTest,
  SelfTestSchema,
  type SelfTestStep,
  type SelfTestStepName,
} from '../../../shared/channels/self-test.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';

/**
 * How the test event was sent. trigger: the service made one, and sent it to every source. repeat: the
 * service cannot; it sent its newest event again, by webhook. loopback: it can do neither; this computer sent
 * one to its own relay. none: there is no relay either.
 */
const SEND_METHODS = ['trigger', 'repeat', 'loopback', 'none'] as const;
export type SendMethod = (typeof SEND_METHODS)[number];

export const SelfTestStateSchema = SelfTestSchema.extend({
  symbol: z.string(),
  method: z.enum(SEND_METHODS).nullable(),
});
export type SelfTestState = z.infer<typeof SelfTestStateSchema>;

export type StepResult = Pick<SelfTestStep, 'outcome' | 'detail'>;

/** @param at this computer's clock, ms */
export function initialState(symbol: string, at: number): SelfTestState {
  const state: SelfTestState = {
    event_id: null,
    began_at: timestamp(at),
    ended_at: null,
    steps: SELF_TEST_STEPS.map((step) => ({ step, outcome: 'waits', after: null, detail: '' })),
    message: '',
    symbol,
    method: null,
  };
  return { ...state, message: messageFor(state) };
}

/**
 * The id by which the desktop replaces this self-test's notification. The event that was sent keeps its own.
 */
export const selfTestNotificationId = ({ began_at }: Pick<SelfTestState, 'began_at'>): string =>
  `barograph:self-test:${began_at}`;

export const stepOf = (state: SelfTestState, name: SelfTestStepName): SelfTestStep | undefined =>
  state.steps.find(({ step }) => step === name);
export const isWaiting = (state: SelfTestState, name: SelfTestStepName): boolean =>
  stepOf(state, name)?.outcome === 'waits';
const hasFailed = (state: SelfTestState, name: SelfTestStepName): boolean => stepOf(state, name)?.outcome === 'failed';
/** The first step that is not settled. */
export const currentStep = (state: SelfTestState): SelfTestStepName | null =>
  state.steps.find(({ outcome }) => outcome === 'waits')?.step ?? null;

/** Settles a step; a settled one does not change. */
export function settle(
  state: SelfTestState,
  name: SelfTestStepName,
  { outcome, detail }: StepResult,
  at: number,
): SelfTestState {
  const after =
    outcome === 'passed' || outcome === 'failed' ? Math.max(0, Math.round(at - Date.parse(state.began_at))) : null;
  const steps = state.steps.map((step) =>
    step.step === name && step.outcome === 'waits' ? { ...step, outcome, after, detail } : step,
  );
  const moved = { ...state, steps };
  return { ...moved, message: messageFor(moved) };
}

/** Marks unsettled steps as not reached. */
export function end(state: SelfTestState, at: number): SelfTestState {
  const steps = state.steps.map((step) =>
    step.outcome === 'waits' ? { ...step, outcome: 'skipped' as const, detail: 'Not reached.' } : step,
  );
  const ended = { ...state, steps, ended_at: timestamp(at) };
  return { ...ended, message: messageFor(ended) };
}

export function selfTestOf({ event_id, began_at, ended_at, steps, message }: SelfTestState): SelfTest {
  return { event_id, began_at, ended_at, steps, message };
}

const PROGRESS_MESSAGES: Readonly<Record<SelfTestStepName, string>> = {
  sent: 'A test event is being sent.',
  stream: 'Waiting for stream and webhook.',
  webhook: 'Waiting for the webhook.',
  written: 'Looking for it in the ledger.',
  matched: 'Evaluating the rules.',
  dispatched: 'Waiting for the desktop to accept the notification.',
  shown: 'Waiting for the desktop to show the notification.',
  acknowledged: 'The notification is shown. Acknowledge it.',
};

/** The parts that each method leaves untested. */
const UNTRIED: Readonly<Record<SendMethod, string>> = {
  trigger: '',
  repeat: ' The stream was not tested: this service can repeat an event by webhook only.',
  loopback: ' The connection between the service and this computer was not tested.',
  none: ' Neither stream nor webhook was tested.',
};

function messageFor(state: SelfTestState): string {
  const failed = (name: SelfTestStepName): string | null =>
    hasFailed(state, name) ? (stepOf(state, name)?.detail ?? '') : null;
  const next = currentStep(state);
  if (state.ended_at === null && next === 'acknowledged' && failed('shown') !== null)
    return 'The desktop shows no notification. Acknowledge it here.';
  if (state.ended_at === null && next !== null) return PROGRESS_MESSAGES[next];
  const stop = (['sent', 'written', 'matched', 'dispatched'] as const).map(failed).find((detail) => detail !== null);
  if (stop !== undefined) return `You would not have been notified. ${stop}`;
  const untried = UNTRIED[state.method ?? 'none'];
  if (stepOf(state, 'written')?.outcome !== 'passed' && failed('webhook') !== null)
    return `You would not have been notified by webhook. ${failed('webhook')}${untried}`;
  return `You would have been notified.${sourceMessage(state)}${endMessage(state)}${untried}`;
}

function sourceMessage(state: SelfTestState): string {
  const [stream, webhook] = [hasFailed(state, 'stream'), hasFailed(state, 'webhook')];
  if (stream && webhook) return ' Neither stream nor webhook delivered it: it had to be fetched.';
  if (stream) return ' The stream did not deliver it.';
  return webhook ? ' The webhook did not deliver it.' : '';
}

function endMessage(state: SelfTestState): string {
  const unheard = hasFailed(state, 'shown') ? ' The notification would not have been shown.' : '';
  return hasFailed(state, 'acknowledged') ? `${unheard} Nobody acknowledged it.` : unheard;
}

/** @returns null where the text is absent or invalid */
export function readState(text: string | null): SelfTestState | null {
  if (text === null) return null;
  try {
    return SelfTestStateSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
