// Main, core: reads any event of a service into the ledger's format (docs/contract.md 1, 29, 30, 36).
import { createHash } from 'node:crypto';
import { STATES, type State, stateName } from '../../../shared/domain/states.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { EVENT_NAMES, EventEnvelopeSchema, isSignalEvent, signalEvent } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { assetClass, type Fields, finite, instant, isFields, percent, state, symbol, text } from './normalize.ts';
import { readSignal } from './read-signal.ts';
import type { Assumption, ReceivedEvent } from './received-event.ts';

export interface EventHints {
  /** Name from the transport: the SSE event field, a header. */
  readonly name?: string;
  /** Id from the transport. */
  readonly id?: string;
  /** The original text; derived from the value for an event inside a list. */
  readonly body?: string;
  /** Assumed time of an event without one, ms. */
  readonly receivedAt: number;
}

const KNOWN_NAMES: ReadonlySet<string> = new Set([...EVENT_NAMES, 'signal.created']);

/** @returns the event, or in one line why it is invalid */
export function readEvent(value: unknown, hints: EventHints): Result<ReceivedEvent, string> {
  const signal = readSignal(value, hints.body);
  if (signal !== null) return ok(signal);
  const strict = EventEnvelopeSchema.safeParse(value);
  if (!strict.success || isSignalEvent(strict.data)) return readTolerantly(value, hints);
  const { event_id, seq, event, timestamp: at, data } = strict.data;
  return ok({
    eventId: event_id,
    seq,
    event,
    occurredAt: Date.parse(at),
    symbol: 'symbol' in data ? data.symbol : null,
    transition: null,
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
  const name = eventName(value, hints);
  if (name === null) return err('it has no event name');

  const body = hints.body ?? JSON.stringify(value);
  const given = text(value.event_id) ?? text(value.id) ?? text(data.event_id) ?? text(hints.id);
  const eventId =
    given === null || given.length > 128 ? `sha256:${createHash('sha256').update(body).digest('hex')}` : given;
  if (eventId !== given) assumptions.push('id');
  const when = instant(data.occurred_at) ?? instant(value.timestamp) ?? instant(data.timestamp);
  const occurredAt = assume(when, timestamp(hints.receivedAt), 'time');
  const number = finite(value.seq);
  const common = {
    eventId,
    seq: number !== null && Number.isSafeInteger(number) && number > 0 ? number : null,
    event: name,
    occurredAt: Date.parse(occurredAt),
    body,
  };

  const isSignal = name.startsWith('signal.');
  const about = symbol(data.symbol ?? data.ticker);
  if (!isSignal) return ok({ ...common, symbol: about, transition: null, assumptions });
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
    regime: text(data.regime),
    confidence: percent(data.confidence),
    note: text(data.note) ?? '',
    occurred_at: occurredAt,
    model_version: text(data.model_version) ?? '',
  };
  return ok({ ...common, symbol: about, transition, assumptions });
}

/**
 * The name: from `event`, else a known one in `type`, else from the transport. A briefing's kind in `type` is
 * no name.
 */
function eventName(value: Fields, hints: EventHints): string | null {
  const stated = text(value.event);
  if (stated !== null && stated.length <= 80) return stated;
  const typed = text(value.type);
  if (typed !== null && KNOWN_NAMES.has(typed)) return typed;
  const hinted = text(hints.name);
  return hinted === null || hinted === 'message' ? null : hinted.slice(0, 80);
}

const STATE_OF_NAME: ReadonlyMap<string, State> = new Map(STATES.map((entered) => [signalEvent(entered), entered]));
