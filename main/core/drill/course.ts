// Main, core: the course of a fire drill: its steps, moved on by pure functions, and what it says. Kept as one fact of the ledger, so that a restart
// in its middle goes on with it.
import { z } from 'zod';
import {
  DRILL_STEPS,
  type Drill,
  DrillSchema,
  type DrillStep,
  type DrillStepName,
} from '../../../shared/channels/drill.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';

/**
 * Name of the event that this computer sends to its own relay. It has no state: no rule, list or timeline takes it for an alert, and it is not
 * passed on.
 */
export const DRILL_EVENT = 'barograph.drill';

/**
 * How the synthetic event was sent. trigger: the service made one, and sent it by every way that it has. repeat: the service has no such thing; it
 * sent its newest event once more, by webhook. loopback: it can do neither; this computer sent one to its own relay. none: there is no relay either.
 */
const WAYS = ['trigger', 'repeat', 'loopback', 'none'] as const;
export type Way = (typeof WAYS)[number];

export const CourseSchema = DrillSchema.extend({ symbol: z.string(), way: z.enum(WAYS).nullable() });
export type Course = z.infer<typeof CourseSchema>;

export type Verdict = Pick<DrillStep, 'outcome' | 'detail'>;

/** @param at this computer's clock, ms */
export function beginCourse(symbol: string, at: number): Course {
  const course: Course = {
    event_id: null,
    began_at: timestamp(at),
    ended_at: null,
    steps: DRILL_STEPS.map((step) => ({ step, outcome: 'waits', after: null, detail: '' })),
    words: '',
    symbol,
    way: null,
  };
  return { ...course, words: wordsOf(course) };
}

/** What the desktop replaces this drill's notification by. Of the drill alone: the event that was sent keeps its own. */
export const drillNoticeId = ({ began_at }: Pick<Course, 'began_at'>): string => `barograph:drill:${began_at}`;

export const stepOf = (course: Course, name: DrillStepName): DrillStep | undefined =>
  course.steps.find(({ step }) => step === name);
export const isWaiting = (course: Course, name: DrillStepName): boolean => stepOf(course, name)?.outcome === 'waits';
const hasFailed = (course: Course, name: DrillStepName): boolean => stepOf(course, name)?.outcome === 'failed';
/** The first step that is not settled. */
export const present = (course: Course): DrillStepName | null =>
  course.steps.find(({ outcome }) => outcome === 'waits')?.step ?? null;

/** Settles a step; one that is settled stays as it is. */
export function settle(course: Course, name: DrillStepName, { outcome, detail }: Verdict, at: number): Course {
  const after =
    outcome === 'passed' || outcome === 'failed' ? Math.max(0, Math.round(at - Date.parse(course.began_at))) : null;
  const steps = course.steps.map((step) =>
    step.step === name && step.outcome === 'waits' ? { ...step, outcome, after, detail } : step,
  );
  const moved = { ...course, steps };
  return { ...moved, words: wordsOf(moved) };
}

/** What is not settled was not reached. */
export function end(course: Course, at: number): Course {
  const steps = course.steps.map((step) =>
    step.outcome === 'waits' ? { ...step, outcome: 'skipped' as const, detail: 'Not reached.' } : step,
  );
  const ended = { ...course, steps, ended_at: timestamp(at) };
  return { ...ended, words: wordsOf(ended) };
}

export function drillOf({ event_id, began_at, ended_at, steps, words }: Course): Drill {
  return { event_id, began_at, ended_at, steps, words };
}

const UNDER_WAY: Readonly<Record<DrillStepName, string>> = {
  sent: 'A test event is being sent.',
  stream: 'Waiting for stream and webhook.',
  webhook: 'Waiting for the webhook.',
  written: 'Looking for it in the ledger.',
  matched: 'Asking the rules.',
  handed: 'Waiting for the desktop to take the notification.',
  shown: 'Waiting for the desktop to show the notification.',
  acknowledged: 'The notification is shown. Acknowledge it.',
};

/** What this way of sending left untried. */
const UNTRIED: Readonly<Record<Way, string>> = {
  trigger: '',
  repeat: ' The stream was not tried: this service can repeat an event by webhook only.',
  loopback: ' What lies between the service and this computer was not tried.',
  none: ' Neither stream nor webhook was tried.',
};

function wordsOf(course: Course): string {
  const failed = (name: DrillStepName): string | null =>
    hasFailed(course, name) ? (stepOf(course, name)?.detail ?? '') : null;
  const next = present(course);
  if (course.ended_at === null && next === 'acknowledged' && failed('shown') !== null)
    return 'The desktop shows no notification. Acknowledge it here.';
  if (course.ended_at === null && next !== null) return UNDER_WAY[next];
  const stop = (['sent', 'written', 'matched', 'handed'] as const).map(failed).find((detail) => detail !== null);
  if (stop !== undefined) return `You would not have been told. ${stop}`;
  const untried = UNTRIED[course.way ?? 'none'];
  if (stepOf(course, 'written')?.outcome !== 'passed' && failed('webhook') !== null)
    return `You would not have been told by webhook. ${failed('webhook')}${untried}`;
  return `You would have been told.${inletWords(course)}${endWords(course)}${untried}`;
}

function inletWords(course: Course): string {
  const [stream, webhook] = [hasFailed(course, 'stream'), hasFailed(course, 'webhook')];
  if (stream && webhook) return ' Neither stream nor webhook brought it: it had to be fetched.';
  if (stream) return ' The stream did not bring it.';
  return webhook ? ' The webhook did not bring it.' : '';
}

function endWords(course: Course): string {
  const heard = hasFailed(course, 'shown') ? ' You would not have heard it.' : '';
  return hasFailed(course, 'acknowledged') ? `${heard} Nobody acknowledged it.` : heard;
}
