// Main, core: the state of a self-test: its steps, how one is settled, and the summary.
import { z } from 'zod';
import {
  SELF_TEST_STEPS,
  type SelfTest,
  SelfTestSchema,
  type SelfTestStep,
  type SelfTestStepName,
  SelfTestStepSchema,
} from '../../../shared/channels/self-test.ts';
import { joinedMessages, type Message, MessageSchema, message, plainMessage } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';

/**
 * How the test event was sent. trigger: the service made a test event, and sent it to every source. repeat:
 * the service sent its newest event again, by webhook. loopback: this computer sent an event to its own
 * relay. none: not even a relay is available.
 */
const SEND_METHODS = ['trigger', 'repeat', 'loopback', 'none'] as const;
export type SendMethod = (typeof SEND_METHODS)[number];

/** Earlier versions stored sentences, "" for no detail. */
const StoredMessageSchema = z.preprocess(
  (stored) => (typeof stored === 'string' ? plainMessage(stored) : stored),
  MessageSchema,
);
const StoredDetailSchema = z.preprocess((stored) => (stored === '' ? null : stored), StoredMessageSchema.nullable());

export const SelfTestStateSchema = SelfTestSchema.extend({
  steps: z.array(SelfTestStepSchema.extend({ detail: StoredDetailSchema })),
  message: StoredMessageSchema,
  symbol: z.string(),
  method: z.enum(SEND_METHODS).nullable(),
});
export type SelfTestState = z.infer<typeof SelfTestStateSchema>;

export type StepResult = Pick<SelfTestStep, 'outcome' | 'detail'>;

/** @param at this computer's clock, ms */
export function initialState(symbol: string, at: number): SelfTestState {
  return withMessage({
    event_id: null,
    began_at: timestamp(at),
    ended_at: null,
    steps: SELF_TEST_STEPS.map((step) => ({ step, outcome: 'waits', after: null, detail: null })),
    symbol,
    method: null,
  });
}

/**
 * The id by which the desktop replaces this self-test's notification. The event that was sent keeps its own.
 */
export const selfTestNotificationId = ({ began_at }: Pick<SelfTestState, 'began_at'>): string =>
  `barograph:self-test:${began_at}`;

export const stepOf = (state: Unsummarized, name: SelfTestStepName): SelfTestStep | undefined =>
  state.steps.find(({ step }) => step === name);
export const isWaiting = (state: SelfTestState, name: SelfTestStepName): boolean =>
  stepOf(state, name)?.outcome === 'waits';
const hasFailed = (state: Unsummarized, name: SelfTestStepName): boolean => stepOf(state, name)?.outcome === 'failed';
/** The first step that is not settled. */
export const currentStep = (state: Unsummarized): SelfTestStepName | null =>
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
  return withMessage({ ...state, steps });
}

/** Marks unsettled steps as not reached. */
export function end(state: SelfTestState, at: number): SelfTestState {
  const steps = state.steps.map((step) =>
    step.outcome === 'waits'
      ? { ...step, outcome: 'skipped' as const, detail: message('self_test.not_reached') }
      : step,
  );
  return withMessage({ ...state, steps, ended_at: timestamp(at) });
}

export function selfTestOf({ event_id, began_at, ended_at, steps, message }: SelfTestState): SelfTest {
  return { event_id, began_at, ended_at, steps, message };
}

/** The parts that each method leaves untested. */
const UNTESTED: Readonly<Record<SendMethod, Message | null>> = {
  trigger: null,
  repeat: message('self_test.untested_stream'),
  loopback: message('self_test.untested_connection'),
  none: message('self_test.untested_sources'),
};

type Unsummarized = Omit<SelfTestState, 'message'>;
const withMessage = (state: Unsummarized): SelfTestState => ({ ...state, message: messageFor(state) });

function messageFor(state: Unsummarized): Message {
  const next = currentStep(state);
  if (state.ended_at === null && next === 'acknowledged' && hasFailed(state, 'shown'))
    return message('self_test.not_shown');
  if (state.ended_at === null && next !== null) return message(`self_test.${next}`);
  const whyFailed = (name: SelfTestStepName): Message => stepOf(state, name)?.detail ?? plainMessage('');
  const stop = (['sent', 'written', 'matched', 'dispatched'] as const).find((name) => hasFailed(state, name));
  if (stop !== undefined) return message('self_test.failed', { why: whyFailed(stop) });
  const untested = UNTESTED[state.method ?? 'none'];
  if (stepOf(state, 'written')?.outcome !== 'passed' && hasFailed(state, 'webhook'))
    return joinedMessages(message('self_test.failed_webhook', { why: whyFailed('webhook') }), untested);
  return joinedMessages(
    message('self_test.passed'),
    sourceMessage(state),
    hasFailed(state, 'shown') ? message('self_test.no_desktop') : null,
    hasFailed(state, 'acknowledged') ? message('self_test.no_person') : null,
    untested,
  );
}

function sourceMessage(state: Unsummarized): Message | null {
  const [stream, webhook] = [hasFailed(state, 'stream'), hasFailed(state, 'webhook')];
  if (stream && webhook) return message('self_test.no_source');
  if (stream) return message('self_test.no_stream');
  return webhook ? message('self_test.no_webhook') : null;
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
