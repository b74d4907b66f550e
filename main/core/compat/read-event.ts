// Main, core: reads any service's event into the ledger's format (docs/contract.md 1, 29, 30, 36).
import { createHash } from 'node:crypto';
import type { RecordedTransition } from '../../../shared/channels/state.ts';
import { stateName } from '../../../shared/domain/states.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { EventEnvelopeSchema, isSignalEvent, signalEvent } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { isKnownName, namedEvent, STATE_OF_NAME } from './event-names.ts';
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
  symbol,
  text,
  timeOf,
  word,
} from './fields.ts';
import { readSignal } from './read-signal.ts';
import { readState, type StateReading, state } from './read-state.ts';
import type { Assumption, EventAttributes, ReceivedEvent } from './received-event.ts';
import { hasState, statesOf } from './record-fields.ts';
import { CONTRACT_VOCABULARY, type Vocabulary } from './vocabulary.ts';

export interface EventHints {
  /** Name from the transport: the SSE event field, a header. */
  readonly name?: string;
  /** Id from the transport. */
  readonly id?: string;
  /** The original text; absent for an event inside a list: derived from the value. */
  readonly body?: string;
  /** Assumed time of an event without one, ms. */
  readonly receivedAt: number;
  /** How the service writes fields, states and symbols; absent: as in the contract. */
  readonly vocabulary?: Vocabulary | undefined;
}

export const LONGEST_NAME = 80;
const LONGEST_ID = 128;
export const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/** @returns the event, or one line about why it is invalid */
export function readEvent(given: unknown, hints: EventHints): Result<ReceivedEvent, string> {
  const { vocabulary = CONTRACT_VOCABULARY } = hints;
  const strict = readStrictly(given, hints.body);
  if (strict !== null && (strict.transition === null || !vocabulary.hasStates()))
    return ok(spelled(strict, vocabulary));
  // The body stays the original text.
  return readTolerantly(vocabulary.event(given), { ...hints, body: hints.body ?? JSON.stringify(given) });
}

function spelled(event: ReceivedEvent, vocabulary: Vocabulary): ReceivedEvent {
  if (event.symbol === null) return event;
  const symbol = vocabulary.ownSymbol(event.symbol);
  if (symbol === event.symbol) return event;
  const { transition } = event;
  return { ...event, symbol, transition: transition === null ? null : { ...transition, symbol } };
}

/** Reads what matches the contract in every field; null: something does not. */
function readStrictly(value: unknown, body: string | undefined): ReceivedEvent | null {
  const signal = readSignal(value, body);
  if (signal !== null) return signal;
  const strict = EventEnvelopeSchema.safeParse(value);
  // SQLite would change an id that is not well-formed.
  if (!strict.success || isSignalEvent(strict.data) || !strict.data.event_id.isWellFormed()) return null;
  const { event_id, seq, event, timestamp: at, data } = strict.data;
  return {
    eventId: event_id,
    seq,
    event,
    occurredAt: Date.parse(at),
    symbol: 'symbol' in data ? data.symbol : null,
    transition: null,
    attributes: attributesOf(value),
    body: body ?? JSON.stringify(value),
    assumptions: [],
  };
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
  const { name, entered } = namedSignal(value, hints);
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
  const about = symbol(data.symbol);
  if (!isSignal)
    return ok({ ...common, symbol: about, transition: null, attributes: attributesOf(value), assumptions });
  if (about === null) return err(`${name} names no symbol`);
  if (entered === null) return err(`${name} for ${about} names no state`);
  const transition: RecordedTransition = {
    event_id: eventId,
    symbol: about,
    asset_class: assume(assetClass(data.asset_class), 'equity', 'class'),
    from_state: assume(state(data.from_state), entered.state === 0 ? 1 : 0, 'from'),
    to_state: entered.state,
    state_name: stateName(entered.state),
    ...(entered.word === undefined ? {} : { state_word: entered.word }),
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
  const own = word(value.event_id) ?? word(value.id) ?? word(data.event_id);
  // The id of a record inside is that of a transition; of a briefing it is not the event's.
  const given = own ?? (hasState(data) ? word(data.id) : null) ?? word(hints.id);
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
export function eventName(value: Fields, hints: Pick<EventHints, 'name'>): string | null {
  const stated = text(value.event);
  if (stated !== null && stated.length <= LONGEST_NAME) return spelledName(stated);
  const typed = [value.type, value.event_type, value.event_name]
    .map(text)
    .find((one) => one !== null && isKnownName(one));
  if (typed !== undefined && typed !== null) return spelledName(typed);
  const hinted = text(hints.name);
  if (hinted !== null && hinted !== 'message') return spelledName(hinted.slice(0, LONGEST_NAME));
  const ofSignal = [value.type, value.event_type, value.event_name]
    .map(text)
    .find((one) => one !== null && SIGNAL.test(one));
  return ofSignal == null ? null : spelledName(ofSignal.slice(0, LONGEST_NAME));
}

/** com.example.signal.red */
const SIGNAL = /(?:^|[^a-z])signals?[^a-z]+(.+)$/i;

/** The name of an event, and the state that a signal enters. */
export function namedSignal(
  value: Fields,
  hints: Pick<EventHints, 'name'>,
): { readonly name: string | null; readonly entered: StateReading | null } {
  const data = isFields(value.data) ? value.data : value;
  const name = eventName(value, hints);
  const known = name === null ? undefined : STATE_OF_NAME.get(name);
  if (known !== undefined) return { name, entered: { state: known } };
  if (name !== null && isKnownName(name) && name !== 'signal.created') return { name, entered: null };
  // A name that the contract does not have may end in a state: signal.red.
  const [, after] = SIGNAL.exec(name ?? '') ?? [];
  const isSignal = name === 'signal.created' || after !== undefined;
  const states = name === null || isSignal ? statesOf(data) : [data.state_name, data.to_state];
  const entered = readState(...states) ?? (isSignal && name !== 'signal.created' ? readState(after) : null);
  if (entered === null || (symbol(data.symbol) === null && name !== 'signal.created')) return { name, entered: null };
  return { name: name === 'signal.created' ? name : signalEvent(entered.state), entered };
}

/** A known name in any case; an unknown name is data. */
const spelledName = (name: string): string => namedEvent(name) ?? name.toWellFormed();
