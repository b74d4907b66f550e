// Main, core: the state machine of the event stream: state and event to state and effects. Pure.
import { type ServiceProblem, WITHOUT_KEY } from '../../../client/problem.ts';
import { type BackoffOptions, backoffDelay } from '../../../shared/lib/backoff.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { problemMessage } from '../compat/refusals.ts';

export type Phase =
  | { readonly name: 'idle' }
  | { readonly name: 'connecting'; readonly attempt: number }
  | { readonly name: 'open'; readonly since: number }
  /** Closed; `at`: instant of the next attempt. */
  | { readonly name: 'waiting'; readonly attempt: number; readonly at: number; readonly cause: Message }
  /**
   * The stream is refused. `at`: instant of the next attempt; the phase changes only with its result.
   */
  | {
      readonly name: 'refused';
      readonly message: Message;
      readonly attempt: number;
      readonly at: number;
      readonly what: RefusalScope;
    };

/**
 * service: the address does not fit the profile, and gets no requests. key: the stream does not accept the key,
 * and every other request would send it again. stream: only the stream is known to be refused.
 */
export type RefusalScope = 'service' | 'key' | 'stream';

export interface StreamState {
  readonly phase: Phase;
  /** Attempts in a row without a lasting stream. */
  readonly attempt: number;
  /** Refusals in a row without a lasting stream. */
  readonly refusals: number;
  /** Wait requested by the service before the next connection, ms. */
  readonly requestedDelay: number;
  /** True while a round trip runs that decides whether a silent stream is alive. */
  readonly isProbing: boolean;
  /** Instant of the last attempt at a wake, or of the next one; null: none. */
  readonly wokeAt: number | null;
}

export type StreamEvent =
  /** The core starts, or a wait ended. */
  | { readonly kind: 'connect' }
  /** An open connection may be dead, or a refusal may have ended. */
  | { readonly kind: 'wake' }
  /** The user requests a connection, or the key changed. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'stop' }
  /** The service gave its identity. `fatal`: why the service must not be used. */
  | { readonly kind: 'checked'; readonly fatal: Message | null }
  | { readonly kind: 'opened' }
  /** The check failed, or the stream ended. null: the service closed the stream normally. */
  | { readonly kind: 'ended'; readonly cause: ServiceProblem | null }
  | { readonly kind: 'delayRequested'; readonly ms: number }
  /** No bytes for longer than the heartbeat allows. `isLearnt`: the heartbeat of this service is known. */
  | { readonly kind: 'silent'; readonly ms: number; readonly isLearnt: boolean }
  /** Result of the round trip about a stream that was silent for `ms`. */
  | { readonly kind: 'probed'; readonly isAlive: boolean; readonly ms: number };

export type StreamEffect =
  /** Drop the connection, the wait, and every outstanding answer. */
  | { readonly kind: 'close' }
  /** Announce the phase to the followers. */
  | { readonly kind: 'enter' }
  /** Ask the service for its identity. */
  | { readonly kind: 'check' }
  | { readonly kind: 'open' }
  /** Check every second whether bytes arrive. */
  | { readonly kind: 'watch' }
  | { readonly kind: 'probe'; readonly ms: number }
  /** The probe answered: the stream is alive. */
  | { readonly kind: 'keepAlive' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'connect' };

/** The time of this computer, ms, and the random source. */
export interface StepContext {
  readonly now: number;
  readonly random: () => number;
}

export const IDLE: StreamState = {
  phase: { name: 'idle' },
  attempt: 0,
  refusals: 0,
  requestedDelay: 0,
  isProbing: false,
  wokeAt: null,
};

const RETRY: BackoffOptions = { base: 1_000, cap: 30_000 };
/** Waits after a refusal. The first is early: most refusals are a service's restart. */
const REFUSAL_WAITS: Readonly<Record<RefusalScope, { base: number; factor: number; cap: number }>> = {
  /**
   * Attempts must not lock a key out. Usual lock-outs count about ten failures in ten minutes. An attempt
   * sends the key once, or twice while its form is unknown (X-API-Key, then Bearer). So there are five
   * attempts in the first ten minutes, then two in ten.
   */
  key: { base: 5_000, factor: 4, cap: 300_000 },
  /**
   * The key was accepted, or is not sent. With the jitter a wait is at most 7.5 s and an eighth of the time
   * since the first refusal: less than two minutes in the first quarter of an hour.
   */
  stream: { base: 5_000, factor: 1.08, cap: 300_000 },
  service: { base: 5_000, factor: 1.08, cap: 300_000 },
};
/** Largest exponent: every wait has reached its cap by then. */
const MAX_POWER = 60;
/**
 * Shortest time between two attempts at a wake, ms: a network that changes every second must not cause a
 * request, or send a refused key, every second.
 */
const WAKE_PAUSE = { other: 5_000, refused: 30_000 };
/** Longest wait that the service may request, ms. */
const MAX_REQUESTED_DELAY = 60_000;
/** A stream that lasted this long resets the backoff, ms. */
const LASTING_STREAM = 10_000;

type Step = readonly [StreamState, readonly StreamEffect[]];

export function next(state: StreamState, event: StreamEvent, context: StepContext): Step {
  const { phase } = state;
  switch (event.kind) {
    case 'connect':
      return connect(state);
    case 'wake':
      return phase.name === 'idle' ? [state, []] : woken(state, context.now);
    case 'retry':
      return connect({ ...state, attempt: 0, refusals: 0 });
    case 'stop':
      return [{ ...state, phase: { name: 'idle' } }, [{ kind: 'close' }]];
    case 'checked':
      return event.fatal === null ? [state, [{ kind: 'open' }]] : refuse(state, event.fatal, 'service', null, context);
    case 'opened':
      return [
        { ...state, phase: { name: 'open', since: context.now }, isProbing: false },
        [{ kind: 'enter' }, { kind: 'watch' }],
      ];
    case 'ended':
      return ended(state, event.cause, context);
    case 'delayRequested':
      return [{ ...state, requestedDelay: Math.min(event.ms, MAX_REQUESTED_DELAY) }, []];
    case 'silent':
      if (state.isProbing) return [state, []];
      if (event.isLearnt) return stalled(state, event.ms, context);
      return [{ ...state, isProbing: true }, [{ kind: 'probe', ms: event.ms }]];
    case 'probed':
      if (event.isAlive) return [{ ...state, isProbing: false }, [{ kind: 'keepAlive' }]];
      return stalled(state, event.ms, context);
  }
}

/** A refused stream stays refused until the attempt has a result, so that no other request sends the key. */
const connect = (state: StreamState): Step =>
  state.phase.name === 'refused'
    ? [state, [{ kind: 'close' }, { kind: 'check' }]]
    : [
        { ...state, phase: { name: 'connecting', attempt: state.attempt } },
        [{ kind: 'close' }, { kind: 'enter' }, { kind: 'check' }],
      ];

/**
 * Refusals still count. A wake brings the attempt forward, but never within the pause after the last wake.
 */
function woken(state: StreamState, now: number): Step {
  const { phase, wokeAt } = state;
  const pause = phase.name === 'refused' ? WAKE_PAUSE.refused : WAKE_PAUSE.other;
  const since = wokeAt === null ? pause : now - wokeAt;
  // A clock that was set back makes the last wake invalid.
  if (wokeAt === null || since >= pause || since < -pause) return connect({ ...state, attempt: 0, wokeAt: now });
  const at = since < 0 ? wokeAt : wokeAt + pause;
  if ((phase.name === 'waiting' || phase.name === 'refused') && phase.at <= at) return [state, []];
  const later: Phase =
    phase.name === 'refused'
      ? { ...phase, at }
      : { name: 'waiting', attempt: 0, at, cause: message('connection.reopened') };
  return [
    { ...state, attempt: 0, isProbing: false, phase: later, wokeAt: at },
    [{ kind: 'close' }, { kind: 'wait', ms: at - now }, { kind: 'enter' }],
  ];
}

function refuse(
  state: StreamState,
  why: Message,
  what: RefusalScope,
  asked: number | null,
  { now, random }: StepContext,
): Step {
  const { base, factor, cap } = REFUSAL_WAITS[what];
  const ceiling = Math.min(cap, base * factor ** Math.min(state.refusals, MAX_POWER));
  // At least the ceiling, and up to half more, so that clients that were refused together do not return
  // together. A requested wait counts up to the cap: a refusal of seconds must not end the connection for an
  // hour.
  const ms = Math.max(ceiling, Math.min(asked ?? 0, cap)) + Math.floor((random() * ceiling) / 2);
  const refusals = state.refusals + 1;
  return [
    { ...state, refusals, phase: { name: 'refused', message: why, attempt: refusals, at: now + ms, what } },
    [{ kind: 'close' }, { kind: 'wait', ms }, { kind: 'enter' }],
  ];
}

function ended(state: StreamState, found: ServiceProblem | null, context: StepContext): Step {
  const { now, random } = context;
  const wasGood = state.phase.name === 'open' && now - state.phase.since >= LASTING_STREAM;
  const before = wasGood ? 0 : state.attempt;
  const refusals = wasGood ? 0 : state.refusals;
  const why = found === null ? null : refusalMessage(found);
  if (found !== null && why !== null)
    return refuse({ ...state, attempt: before, refusals }, why, refusedBy(found), found.retryAfter, context);
  // The requested wait plus a random part, because all clients lost their stream at the same time.
  const { requestedDelay } = state;
  const least = requestedDelay === 0 ? 0 : requestedDelay + Math.floor(random() * RETRY.base);
  const ms = backoffDelay(before, RETRY, random, Math.max(least, found?.retryAfter ?? 0));
  const attempt = before + 1;
  const cause = found === null ? message('connection.closed') : problemMessage(found);
  return [
    { ...state, attempt, refusals, phase: { name: 'waiting', attempt, at: now + ms, cause } },
    [{ kind: 'close' }, { kind: 'wait', ms }, { kind: 'enter' }],
  ];
}

function stalled(state: StreamState, silence: number, { now }: StepContext): Step {
  const cause = message('connection.silent', { seconds: Math.round(silence / 1000) });
  return [
    { ...state, attempt: 0, isProbing: false, phase: { name: 'waiting', attempt: 0, at: now, cause } },
    [{ kind: 'stalled' }, { kind: 'close' }, { kind: 'enter' }, { kind: 'connect' }],
  ];
}

const refusedBy = ({ kind }: ServiceProblem): RefusalScope =>
  kind === 'unauthorized' ? 'key' : kind === 'not_sent' ? 'service' : 'stream';

/** Message for the user about a refusal, which is retried slowly; null for other problems. */
export function refusalMessage(found: ServiceProblem): Message | null {
  const why = problemMessage(found);
  switch (found.kind) {
    case 'unauthorized':
      return found.code === WITHOUT_KEY ? why : message('connection.bad_key', { why });
    case 'forbidden':
      if (found.code === 'no_stream') return message('connection.no_stream');
      return message(found.status === 402 ? 'connection.unpaid' : 'connection.forbidden', { why });
    case 'unproven':
      if (found.code === 'unknown_owner') return message('connection.unknown_peer', { why });
      return message(found.code === 'no_proof' ? 'connection.impostor' : 'connection.unproven', { why });
    case 'redirected':
    case 'not_sent':
      return message('connection.bad_address', { why });
    default:
      return null;
  }
}
