// Main, core: parses any arrival as an event, also a large or unreadable one, which gets a problem.

import { type Message, message } from '../../../shared/text/message.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { isKnownName } from './event-names.ts';
import { type Fields, instant, isFields, label, note, percent, symbol, text, timeOf } from './fields.ts';
import { type EventHints, hashOf, idOf, LONGEST_NAME, namedSignal, numberOf, readEvent } from './read-event.ts';
import type { ReceivedEvent } from './received-event.ts';
import { CONTRACT_VOCABULARY } from './vocabulary.ts';

/** Most characters kept of an event; the contract's largest have a few thousand. */
export const LARGEST_EVENT = 256 * 1024;
/** Characters kept of a larger or unreadable event. */
const SAMPLE = 2_048;
/** Levels of a page, its list, an event, its data: a text is not cut between deeper members. */
const DEEPEST = 4;
/** Most characters of a value that a message quotes. */
const QUOTED = 40;

export interface ArrivalHints extends EventHints {
  /** Full size, when the transport kept only the beginning. */
  readonly size?: number;
}

/** @returns null for anything without the id, the number or a known name of an event */
export function parseEvent(value: unknown, hints: ArrivalHints): ReceivedEvent | null {
  const body = hints.body ?? jsonOf(value);
  const size = hints.size ?? body.length;
  if (size > LARGEST_EVENT) return largeEvent(value, { ...hints, body }, size);
  const read = readEvent(value, { ...hints, body });
  return read.ok ? read.value : unreadableEvent(value, { ...hints, body }, read.error);
}

/**
 * Parses the beginning of a JSON text; undefined: unreadable. Omits a short string that is cut: half a symbol
 * is a different symbol.
 */
export function parseBeginning(cut: string): unknown {
  const open: string[] = [];
  let textFrom: number | null = null;
  /** End of the last complete member, and the brackets open there. */
  let end = 0;
  let openAtEnd: readonly string[] = [];
  for (let at = 0; at < cut.length; at += 1) {
    const letter = cut[at];
    if (textFrom !== null) {
      if (letter === '\\') at += 1;
      else if (letter === '"') textFrom = null;
    } else if (letter === '"') textFrom = at;
    else if (letter === '{' || letter === '[') open.push(letter === '{' ? '}' : ']');
    else if (letter === '}' || letter === ']') open.pop();
    else if (letter === ',' && open.length <= DEEPEST) {
      end = at;
      openAtEnd = [...open];
    }
  }
  const isLongText = textFrom !== null && cut.length - textFrom > SAMPLE;
  return [
    ...(isLongText ? [`${cut}"${open.toReversed().join('')}`] : []),
    cut.slice(0, end) + openAtEnd.toReversed().join(''),
  ]
    .map(parsed)
    .find(isFields);
}

function parsed(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}

/** JSON of a value; empty when it is nested too deeply. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** Reads state and symbol of a large event, and cuts its texts. */
function largeEvent(value: unknown, hints: ArrivalHints & { readonly body: string }, size: number): ReceivedEvent {
  const short = isFields(value) ? shortened(value) : value;
  const whole = jsonOf(short);
  const body = whole.length > LARGEST_EVENT || !isFields(value) ? hints.body.slice(0, SAMPLE).toWellFormed() : whole;
  const read = readEvent(short, { ...hints, body });
  const event = read.ok
    ? read.value
    : (unreadableEvent(short, { ...hints, body }, read.error) ?? nameless(hints, body));
  return {
    ...event,
    assumptions: [...event.assumptions, 'size'],
    problem: message('event.too_large', { id: event.eventId, size, most: LARGEST_EVENT }),
  };
}

/** Cuts or omits large members of the event and of its data. */
function shortened(value: Fields, depth = 0): Fields {
  const short = (member: unknown): unknown => {
    if (typeof member === 'string') return member.length > SAMPLE ? note(member) : member;
    if (isFields(member) && depth === 0) return shortened(member, 1);
    return typeof member === 'object' && jsonOf(member).length > SAMPLE ? null : member;
  };
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .map(([name, member]) => [name.slice(0, LONGEST_NAME), short(member)]),
  );
}

const nameless = (hints: EventHints, body: string): ReceivedEvent => ({
  eventId: idOf({}, hints) ?? `${DIGEST_ID}${hashOf(body)}`,
  seq: null,
  event: UNREADABLE,
  occurredAt: hints.receivedAt,
  symbol: null,
  transition: null,
  attributes: null,
  body,
  assumptions: ['time', 'unreadable'],
});

/** Prefix of the id of an event without one; the digest of its body follows. */
export const DIGEST_ID = 'sha256:';
/** Name of an event without one. */
export const UNREADABLE = 'unreadable';

function unreadableEvent(
  given: unknown,
  hints: EventHints & { readonly body: string },
  why: string,
): ReceivedEvent | null {
  const value = (hints.vocabulary ?? CONTRACT_VOCABULARY).event(given);
  const fields = isFields(value) ? value : {};
  const data = isFields(fields.data) ? fields.data : fields;
  const id = idOf(fields, hints);
  const seq = numberOf(fields);
  const { name, entered } = namedSignal(fields, hints);
  if (id === null && seq === null && (name === null || !isKnownName(name))) return null;
  const isSignal = name?.startsWith('signal.') === true;
  const about = symbol(data.symbol);
  const when = instant(data.occurred_at) ?? timeOf(fields) ?? timeOf(data);
  const eventId = id ?? `${DIGEST_ID}${hashOf(hints.body)}`;
  const event = entered === null ? (name ?? UNREADABLE) : signalEvent(entered.state);
  return {
    eventId,
    seq,
    event,
    occurredAt: Date.parse(when ?? timestamp(hints.receivedAt)),
    symbol: about,
    transition: null,
    attributes: {
      confidence: percent(data.confidence),
      regime: label(data.regime),
      version: null,
      type: null,
      title: note(data.note),
    },
    body: hints.body.slice(0, SAMPLE).toWellFormed(),
    assumptions: [
      ...(id === null ? (['id'] as const) : []),
      ...(when === null ? (['time'] as const) : []),
      'unreadable',
    ],
    problem: problemOf({ id: eventId, event, why, isSignal, about, data, value, name }),
  };
}

interface Findings {
  readonly id: string;
  readonly event: string;
  readonly why: string;
  readonly isSignal: boolean;
  readonly about: string | null;
  readonly data: Fields;
  readonly value: unknown;
  readonly name: string | null;
}

function problemOf({ id, event, why, isSignal, about, data, value, name }: Findings): Message {
  if (!isFields(value)) return message('event.no_object', { id });
  if (name === null) return message('event.no_name', { id });
  if (isSignal && about === null) return message('event.no_symbol', { id, event, given: quoted(data.symbol) });
  if (isSignal) return message('event.no_state', { id, event, symbol: about ?? '' });
  return message('event.unreadable', { id, why });
}

const quoted = (given: unknown): string => (text(given) ?? jsonOf(given)).slice(0, QUOTED).toWellFormed();
