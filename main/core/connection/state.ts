// Main, core: the state of the connection as one value, from which views and the outage derive.
import {
  type Connection,
  type HealthIndicator,
  INDICATOR_NAMES,
  type IndicatorName,
} from '../../../shared/channels/state.ts';
import type { ShownProgress } from '../../../shared/lib/progress.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Phase } from './machine.ts';

export interface ConnectionState {
  readonly phase: Phase;
  /**
   * Start and cause of the current loss of data; null while data arrives, or before the first attempt failed.
   */
  readonly outage: Connection['outage'];
  readonly indicators: Connection['indicators'];
  /** False: the service lists no events, so completeness cannot be proven. */
  readonly provable: boolean;
  /** The log was read to its end at least once in this run. */
  readonly hasCaughtUp: boolean;
  /** The service gave its identity, and belongs to the profile's environment. */
  readonly isTrusted: boolean;
  /** The service gave its identity since the last loss of the stream, so no other service has its address. */
  readonly isIdentified: boolean;
  /** The stream is refused and REST answers, so REST is polled instead. */
  readonly isPolling: boolean;
  /** The service replays past prices, by its last answer. */
  readonly isReplay: boolean;
  /** Why what the service answers proves nothing now: it does not go on; null: it does. */
  readonly standstill: Message | null;
  /** How far a reading of the log is that takes long; null: none does. */
  readonly backfill: ShownProgress | null;
}

/** Holds the state: supervision writes it, all others read it. */
export interface ConnectionStore {
  current(): ConnectionState;
  set(change: Partial<ConnectionState>): void;
}

/** @param begun this computer's clock, ms */
export function initialState(begun: number): ConnectionState {
  const since = timestamp(begun);
  const indicators = Object.fromEntries(
    INDICATOR_NAMES.map((name) => [name, { state: 'down', since, detail: message('health.not_yet') }]),
  ) as Connection['indicators'];
  return {
    phase: { name: 'idle' },
    outage: null,
    indicators,
    provable: true,
    hasCaughtUp: false,
    isTrusted: false,
    isIdentified: false,
    isPolling: false,
    isReplay: false,
    standstill: null,
    backfill: null,
  };
}

export function createConnectionStore(begun: number): ConnectionStore {
  let state = initialState(begun);
  return {
    current: () => state,
    set(change) {
      state = { ...state, ...change };
    },
  };
}

/**
 * The indicators with one replaced; the same object when nothing changes. An indicator keeps the instant at
 * which it entered its state.
 */
export function withIndicator(
  indicators: ConnectionState['indicators'],
  name: IndicatorName,
  { state, detail }: Pick<HealthIndicator, 'state' | 'detail'>,
  now: number,
): ConnectionState['indicators'] {
  const before = indicators[name];
  if (before.state === state && JSON.stringify(before.detail) === JSON.stringify(detail)) return indicators;
  const since = before.state === state ? before.since : timestamp(now);
  return { ...indicators, [name]: { state, detail, since } };
}

/**
 * False until the service gave its identity, also after each loss of the stream, and while REST refuses the
 * key too: each request would send it again.
 */
export const mayAsk = ({ isTrusted, isIdentified, phase, isPolling }: ConnectionState): boolean =>
  isTrusted && isIdentified && (phase.name !== 'refused' || isPolling);

export const isStreaming = ({ phase }: ConnectionState): boolean => phase.name === 'open';

/** The outage with the refusal as its cause: an earlier reading may have failed with another problem. */
const shownOutage = ({ phase, outage }: ConnectionState): Connection['outage'] =>
  outage !== null && phase.name === 'refused' ? { ...outage, cause: phase.message } : outage;

/** While the service does not go on, neither its stream nor its answers prove anything. */
const shownIndicators = ({ indicators, standstill }: ConnectionState): Connection['indicators'] =>
  standstill === null
    ? indicators
    : (Object.fromEntries(
        INDICATOR_NAMES.map((name) => {
          const { state, since } = indicators[name];
          return [name, state === 'ok' ? { state: 'degraded', since, detail: standstill } : indicators[name]];
        }),
      ) as Connection['indicators']);

/** The connection as windows show it. */
export function connectionView(state: ConnectionState, clock: Connection['clock']): Connection {
  const { phase, provable } = state;
  const indicators = shownIndicators(state);
  const outage = shownOutage(state);
  return {
    // The last data may be recent, but nothing proves it.
    indicators:
      outage === null
        ? indicators
        : { ...indicators, fresh: { state: 'down', since: outage.since, detail: message('health.no_data') } },
    outage,
    retry:
      phase.name === 'waiting' || phase.name === 'refused' ? { attempt: phase.attempt, at: timestamp(phase.at) } : null,
    refused: phase.name === 'refused' ? phase.message : null,
    clock,
    provable,
    ...(state.backfill === null ? {} : { backfill: state.backfill }),
  };
}

/**
 * The current outage; null while data arrives, or before that is known. Depends on the times of the data as
 * well as the socket: a connection may be open for hours without data.
 * @param isCovered true when a watched symbol has a signal
 */
export function outageOf(state: ConnectionState, isCovered: boolean): Connection['outage'] {
  const { indicators, hasCaughtUp } = state;
  const outage = shownOutage(state);
  if (outage !== null) return outage;
  if (!hasCaughtUp || !isCovered || indicators.fresh.state !== 'down') return null;
  return {
    since: indicators.fresh.since,
    cause: message('connection.stale'),
  };
}
