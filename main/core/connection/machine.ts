// Main, core: the machine of the event stream: next(state, event) gives state and effects. Pure.
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import { type BackoffOptions, backoffDelay } from '../../../shared/lib/backoff.ts';

export type Phase =
  | { readonly name: 'idle' }
  | { readonly name: 'connecting'; readonly attempt: number }
  | { readonly name: 'open'; readonly since: number }
  /** Closed; `at`: instant of the next attempt. */
  | { readonly name: 'waiting'; readonly attempt: number; readonly at: number; readonly cause: ServiceProblem }
  /** Only the user can resolve it. */
  | { readonly name: 'stopped'; readonly message: string };

export interface StreamState {
  readonly phase: Phase;
  /** Attempts in a row without a lasting stream. */
  readonly attempt: number;
  /** Wait requested by the service before the next connection, ms. */
  readonly requestedDelay: number;
  /** A round trip is running that decides whether a silent stream is alive. */
  readonly isProbing: boolean;
}

export type StreamEvent =
  /** The core starts, or a wait is over. */
  | { readonly kind: 'connect' }
  /** An open connection may be dead. Ignored in a stop that needs the user. */
  | { readonly kind: 'wake' }
  /** The user requests a connection, in any state. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'stop' }
  /** The service gave its identity. `fatal`: a message for the user, when the service must not be used. */
  | { readonly kind: 'checked'; readonly fatal: string | null }
  | { readonly kind: 'opened' }
  /** The check failed, or the stream ended. */
  | { readonly kind: 'ended'; readonly cause: ServiceProblem }
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
  /** Check every second whether bytes come. */
  | { readonly kind: 'watch' }
  | { readonly kind: 'probe'; readonly ms: number }
  /** The probe answered: the stream is alive. */
  | { readonly kind: 'keepAlive' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'connect' };

/** The present of this computer, ms, and the random source. */
export interface Circumstances {
  readonly now: number;
  readonly random: () => number;
}

export const IDLE: StreamState = { phase: { name: 'idle' }, attempt: 0, requestedDelay: 0, isProbing: false };

const RETRY: BackoffOptions = { base: 1_000, cap: 30_000 };
/** Longest wait that the service may request, ms. */
const MAX_REQUESTED_DELAY = 60_000;
/** A stream that lasted this long resets the backoff, ms. */
const GOOD_LIFE = 10_000;

type Step = readonly [StreamState, readonly StreamEffect[]];

export function next(state: StreamState, event: StreamEvent, circumstances: Circumstances): Step {
  const { phase } = state;
  switch (event.kind) {
    case 'connect':
      return connect(state);
    case 'wake':
      return phase.name === 'idle' || phase.name === 'stopped' ? [state, []] : connect({ ...state, attempt: 0 });
    case 'retry':
      return connect({ ...state, attempt: 0 });
    case 'stop':
      return [{ ...state, phase: { name: 'idle' } }, [{ kind: 'close' }]];
    case 'checked':
      return event.fatal === null ? [state, [{ kind: 'open' }]] : halt(state, event.fatal);
    case 'opened':
      return [
        { ...state, phase: { name: 'open', since: circumstances.now }, isProbing: false },
        [{ kind: 'enter' }, { kind: 'watch' }],
      ];
    case 'ended':
      return ended(state, event.cause, circumstances);
    case 'delayRequested':
      return [{ ...state, requestedDelay: Math.min(event.ms, MAX_REQUESTED_DELAY) }, []];
    case 'silent':
      if (state.isProbing) return [state, []];
      if (event.isLearnt) return stalled(state, event.ms, circumstances);
      return [{ ...state, isProbing: true }, [{ kind: 'probe', ms: event.ms }]];
    case 'probed':
      if (event.isAlive) return [{ ...state, isProbing: false }, [{ kind: 'keepAlive' }]];
      return stalled(state, event.ms, circumstances);
  }
}

const connect = (state: StreamState): Step => [
  { ...state, phase: { name: 'connecting', attempt: state.attempt } },
  [{ kind: 'close' }, { kind: 'enter' }, { kind: 'check' }],
];

const halt = (state: StreamState, message: string): Step => [
  { ...state, phase: { name: 'stopped', message } },
  [{ kind: 'close' }, { kind: 'enter' }],
];

function ended(state: StreamState, cause: ServiceProblem, { now, random }: Circumstances): Step {
  const wasGood = state.phase.name === 'open' && now - state.phase.since >= GOOD_LIFE;
  const before = wasGood ? 0 : state.attempt;
  const message = stopMessage(cause);
  if (message !== null) return halt({ ...state, attempt: before }, message);
  // The requested wait, and a little more: all clients lost their stream at the same time.
  const { requestedDelay } = state;
  const least = requestedDelay === 0 ? 0 : requestedDelay + Math.floor(random() * RETRY.base);
  const ms = backoffDelay(before, RETRY, random, Math.max(least, cause.retryAfter ?? 0));
  const attempt = before + 1;
  return [
    { ...state, attempt, phase: { name: 'waiting', attempt, at: now + ms, cause } },
    [{ kind: 'close' }, { kind: 'wait', ms }, { kind: 'enter' }],
  ];
}

function stalled(state: StreamState, silence: number, { now }: Circumstances): Step {
  const cause = problem('timeout', `The stream was open, but nothing came for ${Math.round(silence / 1000)} s.`);
  return [
    { ...state, attempt: 0, isProbing: false, phase: { name: 'waiting', attempt: 0, at: now, cause } },
    [{ kind: 'stalled' }, { kind: 'close' }, { kind: 'enter' }, { kind: 'connect' }],
  ];
}

/** Message for the user where an automatic retry would be wrong; null where it is right. */
function stopMessage(cause: ServiceProblem): string | null {
  switch (cause.kind) {
    case 'unauthorized':
      return `The service does not accept the key (401). ${cause.message} Check the key of this profile, then try again.`;
    case 'forbidden':
      return cause.code === 'no_stream'
        ? 'The service says that there is no stream here (204). Check the address of this profile, then try again.'
        : `The key may not read the stream (403). ${cause.message} Check the plan of this key, then try again.`;
    case 'redirected':
    case 'not_sent':
      return `${cause.message} Check the address of this profile, then try again.`;
    default:
      return null;
  }
}
