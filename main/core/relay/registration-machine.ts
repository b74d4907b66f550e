// Main, core: the machine of the registration: next(state, event) gives state and effects. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { ServiceProblem } from '../../../client/problem.ts';
import type { RelayView } from '../../../shared/channels/relay.ts';
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { isSameAddress } from '../compat/read-subscription.ts';
import { isNotFound, type Subscription } from './own-subscription.ts';

export type Registration = RelayView['registration'];

export type RegistrationStep =
  | { readonly name: 'idle' }
  /** The relay was switched off, and its subscription is being deleted. */
  | { readonly name: 'withdrawing' }
  /**
   * A request is running. replacing: deletes a subscription with another address, or whose secret is lost.
   * renewing: deletes an existing subscription, since only a new one shows its secret. subscribingAgain:
   * makes that new one. confirming: reads it, which shows whether the service can read subscriptions at all.
   */
  | {
      readonly name:
        | 'reading'
        | 'subscribing'
        | 'confirming'
        | 'replacing'
        | 'renewing'
        | 'subscribingAgain'
        | 'resuming';
      readonly url: string;
    };

export interface RegistrationState {
  readonly registration: Registration;
  readonly step: RegistrationStep;
  /** Failed checks in a row. */
  readonly failures: number;
  /** A check was requested while one was running. */
  readonly isDueAgain: boolean;
  readonly isStopped: boolean;
  /** Requests for a subscription that did not last, and the instant of the last one; null: none. */
  readonly writes: { readonly count: number; readonly at: number } | null;
}

export type RegistrationEvent =
  | CheckEvent
  /** The running request about the subscription was answered. */
  | { readonly kind: 'answered'; readonly answer: Result<Subscription, ServiceProblem> }
  | { readonly kind: 'removed'; readonly answer: Result<unknown, ServiceProblem> }
  /** The running request was not sent, or its answer not stored. */
  | { readonly kind: 'failed'; readonly message: Message }
  /** The running check is finished; no further one begins. */
  | { readonly kind: 'stop' };

export interface CheckEvent {
  readonly kind: 'check';
  /** off: the user disabled the relay. closed: it does not listen. */
  readonly relay: 'off' | 'closed' | 'ready';
  /** A request may be sent to the service. */
  readonly mayAsk: boolean;
  /** Address to register; null: the service cannot reach this computer. */
  readonly url: string | null;
  /** The stored subscription. */
  readonly id: string | null;
  /** Address of a subscription that the service made without naming it: it is not made twice. */
  readonly unnamed: string | null;
}

export type RegistrationEffect =
  | { readonly kind: 'read' | 'resume' | 'remove'; readonly id: string }
  /** Stores the id and the secret too. */
  | { readonly kind: 'subscribe'; readonly url: string }
  | { readonly kind: 'check' }
  /** Check after this time, ms. */
  | { readonly kind: 'wait'; readonly ms: number };

/** The circumstances that the machine reads at every event. */
export interface Circumstances {
  readonly now: number;
  readonly random: () => number;
  /** Interval of the checks, ms. */
  readonly interval: number;
  /** A signing secret is known here. */
  readonly hasSecret: boolean;
  /** The service has shown a subscription before: the specification has no such endpoint. */
  readonly canRead: boolean;
}

type Step = readonly [RegistrationState, readonly RegistrationEffect[]];

const RETRY = { base: 2_000, cap: 60_000 };
const SHORTEST_WAIT = 1_000;
/**
 * Shortest interval between two requests for a subscription, ms: the service may have made one, whatever its
 * answer. It grows with every request, and an hour without a request resets it.
 */
const WRITE = { base: 2_000, factor: 3, cap: 24 * 3_600_000, forget: 3_600_000 };
/** Number of requests that a subscription counts as which was made but cannot be used. */
const UNUSABLE = 6;

export const beginRegistration = (now: number): RegistrationState => ({
  registration: { state: 'waiting', message: message('registration.not_asked'), since: timestamp(now) },
  step: { name: 'idle' },
  failures: 0,
  isDueAgain: false,
  isStopped: false,
  writes: null,
});

export function next(state: RegistrationState, event: RegistrationEvent, circumstances: Circumstances): Step {
  const { step } = state;
  switch (event.kind) {
    case 'check':
      if (state.isStopped) return [state, []];
      return step.name === 'idle' ? check(state, event, circumstances) : [{ ...state, isDueAgain: true }, []];
    case 'answered':
      if (step.name === 'idle' || step.name === 'withdrawing') return [state, []];
      return event.answer.ok
        ? described(state, step, event.answer.value, circumstances)
        : refused(state, step, event.answer.error, circumstances);
    case 'removed':
      if (step.name === 'idle') return [state, []];
      if (step.name === 'withdrawing')
        return event.answer.ok || isNotFound(event.answer.error)
          ? off(state, circumstances)
          : left(state, plainMessage(event.answer.error.message), circumstances);
      if (event.answer.ok || (step.name === 'replacing' && isNotFound(event.answer.error)))
        return step.name === 'renewing'
          ? request(state, step.url, 'subscribingAgain', circumstances)
          : subscribe(state, step.url, circumstances);
      if (isNotFound(event.answer.error))
        return blocked(unusable(state), message('registration.secret_lost'), circumstances);
      return failed(state, event.answer.error, circumstances);
    case 'failed':
      if (step.name === 'withdrawing') return left(state, event.message, circumstances);
      return waiting({ ...state, failures: state.failures + 1 }, event.message, circumstances);
    case 'stop':
      return [{ ...state, isStopped: true }, []];
  }
}

function check(state: RegistrationState, event: CheckEvent, circumstances: Circumstances): Step {
  const { relay, mayAsk, url, id, unnamed } = event;
  // When the user switches the relay on again, it asks for a subscription at once.
  if (relay === 'off') return withdraw({ ...state, writes: null }, event, circumstances);
  if (relay === 'closed') return waiting(state, message('registration.not_listening'), circumstances);
  if (!mayAsk) return waiting(state, message('registration.not_asked'), circumstances);
  if (url === null)
    return finish({ ...state, failures: 0 }, 'by_hand', message('registration.unreachable'), circumstances);
  if (id === null && unnamed === url) return unchecked(state, circumstances);
  if (id === null) return subscribe(state, url, circumstances);
  return [{ ...state, step: { name: 'reading', url } }, [{ kind: 'read', id }]];
}

function withdraw(state: RegistrationState, { mayAsk, id }: CheckEvent, circumstances: Circumstances): Step {
  if (id === null) return off(state, circumstances);
  if (mayAsk) return [{ ...state, step: { name: 'withdrawing' } }, [{ kind: 'remove', id }]];
  return finish(
    state,
    'off',
    message('registration.off_left', { why: message('registration.not_asked') }),
    circumstances,
  );
}

const off = (state: RegistrationState, circumstances: Circumstances): Step =>
  finish({ ...state, failures: 0 }, 'off', message('registration.off'), circumstances);

/** The relay is off, but the service still has the subscription. */
const left = (state: RegistrationState, why: Message, circumstances: Circumstances): Step =>
  finish({ ...state, failures: state.failures + 1 }, 'off', message('registration.off_left', { why }), circumstances);

/** Asks for a subscription, but not within the pause since the last request. */
function subscribe(state: RegistrationState, url: string, circumstances: Circumstances): Step {
  const left = pauseOf(state, circumstances);
  return left === 0 ? request(state, url, 'subscribing', circumstances) : paused(state, left, circumstances);
}

/** Replaces a subscription, but keeps it within the pause since the last request. */
function replace(
  state: RegistrationState,
  { id, url }: { id: string; url: string },
  circumstances: Circumstances,
): Step {
  const left = pauseOf(state, circumstances);
  if (left > 0) return paused(state, left, circumstances);
  return [{ ...state, step: { name: 'replacing', url } }, [{ kind: 'remove', id }]];
}

function paused(state: RegistrationState, left: number, circumstances: Circumstances): Step {
  const { state: name } = state.registration;
  const found = message('registration.paused_writes', { minutes: Math.max(1, Math.ceil(left / 60_000)) });
  return finish(state, name === 'refused' ? name : 'waiting', found, circumstances, left);
}

function pauseOf({ writes }: RegistrationState, { now }: Circumstances): number {
  if (writes === null || now < writes.at) return 0;
  return Math.max(0, writes.at + Math.min(WRITE.cap, WRITE.base * WRITE.factor ** (writes.count - 1)) - now);
}

function request(
  state: RegistrationState,
  url: string,
  name: 'subscribing' | 'subscribingAgain',
  { now }: Circumstances,
): Step {
  const { writes } = state;
  const before = writes === null || now - writes.at > WRITE.forget ? 0 : writes.count;
  return [{ ...state, step: { name, url }, writes: { count: before + 1, at: now } }, [{ kind: 'subscribe', url }]];
}

/**
 * The service made a subscription that cannot be used, and would make another one: the next request waits
 * long.
 */
const unusable = ({ writes, ...state }: RegistrationState): RegistrationState => ({
  ...state,
  writes: writes === null ? null : { ...writes, count: Math.max(UNUSABLE, writes.count) },
});

/** The service cannot show the subscription, which counts as correct. */
const unchecked = (state: RegistrationState, circumstances: Circumstances): Step =>
  finish({ ...state, failures: 0 }, 'registered', message('registration.unchecked'), circumstances);

type RunningStep = Exclude<RegistrationStep, { readonly name: 'idle' | 'withdrawing' }>;

function described(
  state: RegistrationState,
  { name, url }: RunningStep,
  subscription: Subscription,
  circumstances: Circumstances,
): Step {
  const { id } = subscription;
  const { hasSecret, canRead } = circumstances;
  const isNew = name === 'subscribing' || name === 'subscribingAgain';
  if (isNew && id === null)
    return hasSecret
      ? unchecked(state, circumstances)
      : blocked(unusable(state), message('registration.unusable'), circumstances);
  if (id === null) return blocked(state, message('registration.unusable'), circumstances);
  if (name === 'reading') {
    if ((subscription.url !== null && !isSameAddress(subscription.url, url)) || !hasSecret)
      return replace(state, { id, url }, circumstances);
    if (subscription.status === 'paused') {
      const found = message('registration.paused', { reason: subscription.paused_reason ?? null });
      return [
        { ...show(state, 'paused', found, circumstances), step: { name: 'resuming', url } },
        [{ kind: 'resume', id }],
      ];
    }
  }
  if (name === 'subscribing' && !hasSecret)
    return [{ ...state, step: { name: 'renewing', url } }, [{ kind: 'remove', id }]];
  if (name === 'subscribingAgain' && !hasSecret)
    return blocked(unusable(state), message('registration.secret_not_shown'), circumstances);
  if (isNew && !canRead) return [{ ...state, step: { name: 'confirming', url } }, [{ kind: 'read', id }]];
  return finish({ ...state, failures: 0 }, 'registered', message('registration.active'), circumstances);
}

function refused(
  state: RegistrationState,
  { name, url }: RunningStep,
  cause: ServiceProblem,
  circumstances: Circumstances,
): Step {
  const isReading = name === 'reading' || name === 'confirming';
  if (isReading && isNotFound(cause))
    return circumstances.canRead ? subscribe(state, url, circumstances) : unchecked(state, circumstances);
  if (cause.kind === 'unreadable' && !isReading)
    return blocked(unusable(state), message('registration.unusable'), circumstances);
  return failed(state, cause, circumstances);
}

function failed(state: RegistrationState, cause: ServiceProblem, circumstances: Circumstances): Step {
  const { kind } = cause;
  if (kind === 'not_found') return finish(state, 'by_hand', message('registration.no_endpoint'), circumstances);
  const isRefused = kind === 'unauthorized' || kind === 'forbidden' || kind === 'bad_request' || kind === 'not_sent';
  const found = plainMessage(cause.message);
  if (isRefused) return blocked(state, found, circumstances);
  return waiting({ ...state, failures: state.failures + 1 }, found, circumstances);
}

/** Ends the check with a fault that only the user can resolve. */
const blocked = (state: RegistrationState, found: Message, circumstances: Circumstances): Step =>
  finish({ ...state, failures: state.failures + 1 }, 'refused', found, circumstances);

const waiting = (state: RegistrationState, found: Message, circumstances: Circumstances): Step =>
  finish(state, 'waiting', found, circumstances);

function show(
  state: RegistrationState,
  name: Registration['state'],
  found: Message,
  { now }: Circumstances,
): RegistrationState {
  const { registration } = state;
  if (registration.state === name && isDeepStrictEqual(registration.message, found)) return state;
  return { ...state, registration: { state: name, message: found, since: timestamp(now) } };
}

/** Ends the check, and plans the next one. */
function finish(
  state: RegistrationState,
  name: Registration['state'],
  found: Message,
  circumstances: Circumstances,
  least = 0,
): Step {
  const after = { ...show(state, name, found, circumstances), step: { name: 'idle' }, isDueAgain: false } as const;
  if (state.isStopped) return [after, []];
  if (state.isDueAgain) return [after, [{ kind: 'check' }]];
  const { interval, random } = circumstances;
  const ms = state.failures === 0 ? interval : Math.max(SHORTEST_WAIT, backoffDelay(state.failures - 1, RETRY, random));
  return [after, [{ kind: 'wait', ms: Math.max(ms, least) }]];
}
