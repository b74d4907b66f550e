// Main, core: reads any service's event into the ledger's format (docs/contract.md 1, 29, 30, 36).
import { createHash } from 'node:crypto';
import { STATES, type State, stateName } from '../../../shared/domain/states.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { StateMap } from '../../../shared/settings/state-map.ts';
import { EVENT_NAMES, EventEnvelopeSchema, isSignalEvent, signalEvent } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { mapStates } from './map-states.ts';
import {
  assetClass,
  claimed,
  type Fields,
  finite,
  instant,
  isFields,
  label,
  note,
  percent,
  state,
  symbol,
  text,
  timeOf,
  word,
} from './normalize.ts';
import { readSignal } from './read-signal.ts';
import type { Assumption, EventAttributes, ReceivedEvent } from './received-event.ts';

export interface EventHints {
  /** Name from the transport: the SSE event field, a header. */
  readonly name?: string;
  /** Id from the transport. */
  readonly id?: string;
  /** The original text; absent for an event inside a list: derived from the value. */
  readonly body?: string;
  /** Assumed time of an event without one, ms. */
  readonly receivedAt: number;
  /** The profile's state map. */
  readonly states?: StateMap | undefined;
}

/** Compares letters and digits only: `SIGNAL.HighRisk` is `signal.high_risk`. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const KNOWN_NAMES: ReadonlyMap<string, string> = new Map(
  [...EVENT_NAMES, 'signal.created'].map((name) => [folded(name), name]),
);

export const LONGEST_NAME = 80;
const LONGEST_ID = 128;
export const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/** @returns the event, or one line about why it is invalid */
export function readEvent(given: unknown, hints: EventHints): Result<ReceivedEvent, string> {
  const { states, ...rest } = hints;
  // The body stays the original text.
  return states === undefined
    ? read(given, rest)
    : read(mapStates(given, states), { ...rest, body: rest.body ?? JSON.stringify(given) });
}

function read(value: unknown, hints: EventHints): Result<ReceivedEvent, string> {
  const signal = readSignal(value, hints.body);
  if (signal !== null) return ok(signal);
  const strict = EventEnvelopeSchema.safeParse(value);
  // SQLite would change an id that is not well-formed.
  if (!strict.success || isSignalEvent(strict.data) || !strict.data.event_id.isWellFormed())
    return readTolerantly(value, hints);
  const { event_id, seq, event, timestamp: at, data } = strict.data;
  return ok({
    eventId: event_id,
    seq,
    event,
    occurredAt: Date.parse(at),
    symbol: 'symbol' in data ? data.symbol : null,
    transition: null,
    attributes: attributesOf(value),
    body: hints.body ?? JSON.stringify(value),
    assumptions: [],
  });
}

function readTolerantly(value: unknown, hints: EventHints): Result<ReceivedEvent, string> {
  if (!isFields(value)) return err('not a JSON object');
  const data = isFields(value.data) ? value.data : value;
  const assumptions: Assumption[] = [];
  const assume = <Value>(found: Value | null, assumed: Value, assumption: Assumption): Value => {
    if (found !== null) return found;
    assumptions.push(assumption);
    return assumed;
  };
  const name = eventName(value, hints) ?? nameByState(data);
  if (name === null) return err('it has no event name');

  const body = hints.body ?? JSON.stringify(value);
  const given = idOf(value, hints);
  const eventId = given ?? `sha256:${hashOf(body)}`;
  if (given === null) assumptions.push('id');
  const when = instant(data.occurred_at) ?? timeOf(value) ?? timeOf(data);
  const occurredAt = assume(when, timestamp(hints.receivedAt), 'time');
  const common = {
    eventId,
    seq: numberOf(value),
    event: name,
    occurredAt: Date.parse(occurredAt),
    body,
  };

  const isSignal = name.startsWith('signal.');
  const about = symbol(data.symbol ?? data.ticker);
  if (!isSignal)
    return ok({ ...common, symbol: about, transition: null, attributes: attributesOf(value), assumptions });
  if (about === null) return err(`${name} names no symbol`);
  const entered = STATE_OF_NAME.get(name) ?? state(data.state_name, data.to_state, data.state);
  if (entered === null) return err(`${name} for ${about} names no state`);
  const transition: Transition = {
    event_id: eventId,
    symbol: about,
    asset_class: assume(assetClass(data.asset_class), 'equity', 'class'),
    from_state: assume(state(data.from_state), entered === 0 ? 1 : 0, 'from'),
    to_state: entered,
    state_name: stateName(entered),
    regime: label(data.regime),
    confidence: percent(data.confidence),
    ...claimed(data),
    note: note(data.note) ?? '',
    occurred_at: occurredAt,
    model_version: label(data.model_version) ?? '',
  };
  return ok({ ...common, symbol: about, transition, attributes: null, assumptions });
}

/** The id of the event or of the transport; null: no usable id. */
export function idOf(value: Fields, hints: Pick<EventHints, 'id'>): string | null {
  const data = isFields(value.data) ? value.data : value;
  const given = word(value.event_id) ?? word(value.id) ?? word(data.event_id) ?? word(hints.id);
  return given === null || given.length > LONGEST_ID || !given.isWellFormed() ? null : given;
}

export function numberOf({ seq }: Fields): number | null {
  const number = finite(seq);
  return number !== null && Number.isSafeInteger(number) && number > 0 ? number : null;
}

function attributesOf(value: unknown): EventAttributes {
  const data = isFields(value) && isFields(value.data) ? value.data : {};
  return {
    confidence: finite(data.confidence),
    regime: label(data.to_regime),
    version: label(data.version),
    type: label(data.type),
    title: label(data.title),
  };
}

/**
 * The name: from `event`, else a known name in `type`, else from the transport. A briefing has its kind in
 * `type`.
 */
export function eventName(value: Fields, hints: EventHints): string | null {
  const stated = text(value.event);
  if (stated !== null && stated.length <= LONGEST_NAME) return spelled(stated);
  const typed = KNOWN_NAMES.get(folded(text(value.type)?.slice(0, LONGEST_NAME) ?? ''));
  if (typed !== undefined) return typed;
  const hinted = text(hints.name);
  return hinted === null || hinted === 'message' ? null : spelled(hinted.slice(0, LONGEST_NAME));
}

/** A bare signal names its event by its state. */
function nameByState(data: Fields): string | null {
  const entered = state(data.state_name, data.to_state, data.state);
  return entered === null || symbol(data.symbol ?? data.ticker) === null ? null : signalEvent(entered);
}

/** A known name in any case; an unknown name is data. */
const spelled = (name: string): string => KNOWN_NAMES.get(folded(name)) ?? name.toWellFormed();

export const STATE_OF_NAME: ReadonlyMap<string, State> = new Map(
  STATES.map((entered) => [signalEvent(entered), entered]),
);

/** A name of the contract, in any case. */
export const isKnownName = (name: string): boolean => KNOWN_NAMES.has(folded(name));
