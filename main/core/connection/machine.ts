// Main, core: the machine of the event stream: next(state, event) gives state and effects. Pure.
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import { type BackoffOptions, backoffDelay } from '../../../shared/lib/backoff.ts';

export type Phase =
  | { readonly name: 'idle' }
  | { readonly name: 'connecting'; readonly attempt: number }
  | { readonly name: 'open'; readonly since: number }
  /** Closed; `at`: when the next attempt is made. */
  | { readonly name: 'waiting'; readonly attempt: number; readonly at: number; readonly cause: ServiceProblem }
  /** Only the user can resolve it. */
  | { readonly name: 'stopped'; readonly message: string };

export interface StreamState {
  readonly phase: Phase;
  /** Attempts in a row that brought no lasting stream. */
  readonly attempt: number;
  /** How long the service asks to wait before connecting again, ms. */
  readonly requestedDelay: number;
  /** A round trip is under way that decides whether a silent stream is alive. */
  readonly isProbing: boolean;
}

export type StreamEvent =
  /** The core starts, or a wait is over. */
  | { readonly kind: 'connect' }
  /** Whatever is open may be dead. A stop that needs the user is left alone. */
  | { readonly kind: 'wake' }
  /** The user asks, whatever was. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'stop' }
  /** The service said who it is. `fatal`: a message for the user, when it must not be listened to. */
  | { readonly kind: 'checked'; readonly fatal: string | null }
  | { readonly kind: 'opened' }
  /** The check failed, or the stream ended. */
  | { readonly kind: 'ended'; readonly cause: ServiceProblem }
  | { readonly kind: 'delayRequested'; readonly ms: number }
  /** Nothing came for longer than a heartbeat allows. `isLearnt`: the heartbeat of this service is known. */
  | { readonly kind: 'silent'; readonly ms: number; readonly isLearnt: boolean }
  /** What the round trip found out about a stream that was silent for `ms`. */
  | { readonly kind: 'probed'; readonly isAlive: boolean; readonly ms: number };

export type StreamEffect =
  /** Drop the connection, the wait, and every answer that is still to come. */
  | { readonly kind: 'close' }
  /** Tell the followers of the phase. */
  | { readonly kind: 'enter' }
  /** Ask the service who it is. */
  | { readonly kind: 'check' }
  | { readonly kind: 'open' }
  /** Check every second whether bytes come. */
  | { readonly kind: 'watch' }
  | { readonly kind: 'probe'; readonly ms: number }
  /** The probe answered: silence meant nothing. */
  | { readonly kind: 'keepAlive' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'connect' };

/** The present of this computer, ms, and chance. */
export interface Circumstances {
  readonly now: number;
  readonly random: () => number;
}

export const IDLE: StreamState = { phase: { name: 'idle' }, attempt: 0, requestedDelay: 0, isProbing: false };

const RETRY: BackoffOptions = { base: 1_000, cap: 30_000 };
/** The service may ask for a longer wait, but not for an outage, ms. */
const MAX_REQUESTED_DELAY = 60_000;
/** A stream that lived this long was a good one: the next wait starts from the bottom, ms. */
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
  // As long as the service asks for, and a little more: all of its readers lost their stream at the same time.
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

/** For the user, where trying again by itself would be wrong; null where it is right. */
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
