// Main, core: the fast reader of a transition that matches the contract in every field.
// Plain comparisons cost a fraction of the schema, which decides about all other events. A test checks that
// both agree on every value.
import { z } from 'zod';
import { ASSET_CLASSES, isSymbol } from '../../../shared/domain/instruments.ts';
import { STATES, type State, stateName } from '../../../shared/domain/states.ts';
import { SIGNAL_EVENTS } from '../../../shared/wire/events.ts';
import { claimed, type Fields, fitsLabel, fitsNote, isFields } from './fields.ts';
import type { ReceivedEvent } from './received-event.ts';

const oneOf = <Value>(values: readonly Value[]) => {
  const known: ReadonlySet<unknown> = new Set(values);
  return (value: unknown): value is Value => known.has(value);
};
const isClass = oneOf(ASSET_CLASSES);
const isStateName = oneOf(STATES.map(stateName));
const isSignalName = oneOf(SIGNAL_EVENTS);
const isState = (value: unknown): value is State => value === 0 || value === 1 || value === 2;
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';
const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= 128 && value.isWellFormed();
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
const isPercentOrNull = (value: unknown): value is number | null =>
  value === null || (typeof value === 'number' && value >= 0 && value <= 100);
const isSymbolText = (value: unknown): value is string => typeof value === 'string' && isSymbol(value);
/** The format of TimestampSchema. */
const INSTANT = z.regexes.datetime({ precision: 3 });
const isInstant = (value: unknown): value is string => typeof value === 'string' && INSTANT.test(value);

/**
 * @param body the original text; derived from the value for an event inside a list. @returns null where a
 * field does not match
 */
export function readSignal(value: unknown, body: string | undefined): ReceivedEvent | null {
  if (!isFields(value) || !isFields(value.data)) return null;
  const { event_id: eventId, seq, event, timestamp } = value;
  const {
    symbol,
    asset_class,
    from_state,
    to_state,
    state_name,
    regime,
    confidence,
    note,
    occurred_at,
    model_version,
  }: Fields = value.data;
  if (!isSignalName(event) || !isId(eventId) || !isNumber(seq) || !isId(value.data.event_id)) return null;
  if (
    !isSymbolText(symbol) ||
    !isClass(asset_class) ||
    !isState(from_state) ||
    !isState(to_state) ||
    !isStateName(state_name)
  )
    return null;
  if (!isTextOrNull(regime) || !isPercentOrNull(confidence) || !isText(note) || !isText(model_version)) return null;
  // Left to the tolerant reader, which shortens them.
  if (!fitsNote(note) || !fitsLabel(model_version) || (regime !== null && !fitsLabel(regime))) return null;
  // Most events contain the same instant twice.
  if (!isInstant(occurred_at) || (timestamp !== occurred_at && !isInstant(timestamp))) return null;
  return {
    eventId,
    seq,
    event,
    occurredAt: Date.parse(occurred_at),
    symbol,
    transition: {
      event_id: eventId,
      symbol,
      asset_class,
      from_state,
      to_state,
      state_name,
      regime,
      confidence,
      ...claimed(value.data),
      note,
      occurred_at,
      model_version,
    },
    attributes: null,
    body: body ?? JSON.stringify(value),
    assumptions: NOTHING_ASSUMED,
  };
}

const NOTHING_ASSUMED: ReceivedEvent['assumptions'] = [];
