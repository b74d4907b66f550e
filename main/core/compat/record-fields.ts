// Main, core: renames the fields of a foreign record or event to those of the contract. Pure.
import { namedEvent } from './event-names.ts';
import { type Fields, instant, isFields } from './fields.ts';

/** Objects around the record itself, in an event or in a row of a list. */
const WRAPPERS = [
  ...['data', 'payload', 'body', 'record', 'attributes', 'detail', 'details', 'message', 'change', 'notification'],
  ...['signal', 'transition', 'alert'],
];
/** Levels of wrappers that are read. */
const DEEPEST = 3;
/** Other names of a field, the commonest first. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  symbol: ['ticker', 'instrument', 'asset', 'security'],
  to_state: ['new_state', 'current_state', 'to'],
  from_state: ['previous_state', 'prev_state', 'old_state', 'from'],
  state_name: ['state_label'],
  /** What may be a state where nothing else is. */
  risk_level: ['risk_state', 'level', 'signal', 'severity'],
  asset_class: ['class'],
};
/** Fields of the record that may stand beside its wrapper. */
const BESIDE = ['symbol', 'confidence', 'regime', 'note'];
const STATES_BESIDE = ['to_state', 'from_state', 'state', 'state_name', 'risk_level'];

/** The states that a record states, for `readState`. */
export const statesOf = (record: Fields): unknown[] => [
  record.state_name,
  record.to_state,
  record.state,
  record.risk_level,
];
export const hasState = (record: Fields): boolean => statesOf(record).some((one) => one !== undefined && one !== null);

/** A row of a list, without its wrappers. */
export const canonicalRow = (row: unknown): unknown => (isFields(row) ? renamed(unwrapped(row)) : row);

/** A row of /alert-transitions as an event that is named by its state. */
export function rowEvent(given: unknown): unknown {
  const row = canonicalRow(given);
  return isFields(row) && hasState(row) ? { data: row } : row;
}

/** An event as `{..., data}`, or without `data` where it is flat. Events that are no signals stay as they are. */
export function canonicalEvent(given: unknown): unknown {
  if (!isFields(given)) return given;
  const { event, ...rest } = given;
  const value = isFields(event) ? { ...rest, ...event } : given;
  if (isOther(value)) return value;
  const inner = innerOf(value);
  if (inner === null) return renamed(value);
  const own = renamed(withoutWrappers(value));
  const data = renamed(inner);
  const names = hasState(data) ? BESIDE : [...BESIDE, ...STATES_BESIDE];
  const beside = Object.fromEntries(names.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])));
  return { ...own, data: { ...beside, ...data } };
}

/** Lists of events, in one message. */
const LISTS_OF_EVENTS = ['events', 'data', 'payload', 'items', 'records', 'signals'];

/** The events of a message: it is one, a list of them, or an object around a list. */
export function eventsIn(message: unknown): readonly unknown[] {
  if (Array.isArray(message)) return message;
  if (!isFields(message)) return [message];
  const name = LISTS_OF_EVENTS.find(
    (one) => Array.isArray(message[one]) && (message[one] as unknown[]).every(isFields),
  );
  const listed = name === undefined ? [] : (message[name] as readonly Fields[]);
  return listed.length === 0 ? [message] : listed;
}

/** True for an event that is known to be no signal. */
const isOther = ({ event, type }: Fields): boolean =>
  [event, type].some((name) => {
    const known = typeof name === 'string' ? namedEvent(name) : null;
    return known !== null && !known.startsWith('signal.');
  });

/** What the wrappers hold, merged; null: there is none. */
function innerOf(value: Fields, depth = 1): Fields | null {
  const held = WRAPPERS.map((name) => objectIn(value[name])).filter((one) => one !== null);
  if (held.length === 0 || depth > DEEPEST) return null;
  return Object.assign({}, ...held.map((one) => unwrapped(one, depth + 1)).toReversed()) as Fields;
}
const unwrapped = (value: Fields, depth = 1): Fields => ({ ...innerOf(value, depth), ...withoutWrappers(value) });
const withoutWrappers = (value: Fields): Fields =>
  Object.fromEntries(Object.entries(value).filter(([name, one]) => !WRAPPERS.includes(name) || objectIn(one) === null));

/** A state as `{code, label}`, which is no record. A record has more than three fields, or names its symbol or state. */
const isStateObject = (value: Fields): boolean => {
  if (!('label' in value) || Object.keys(value).length > 3) return false;
  const record = renamed(value);
  return record.symbol === undefined && !hasState(record);
};

/** An object, also one that was encoded as JSON once more. */
function objectIn(value: unknown): Fields | null {
  if (isFields(value)) return isStateObject(value) ? null : value;
  if (typeof value !== 'string' || !value.startsWith('{')) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isFields(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** newState, NEW-STATE and "New State" as new_state. */
const snakeCase = (name: string): string =>
  /^[a-z0-9_]+$/.test(name)
    ? name
    : name
        .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
        .replaceAll(/[\s-]+/g, '_')
        .toLowerCase();

function renamed(record: Fields): Fields {
  const found: Record<string, unknown> = { ...record };
  for (const [name, value] of Object.entries(record)) found[snakeCase(name)] ??= value;
  for (const [name, others] of Object.entries(OTHER_NAMES)) {
    if (found[name] !== undefined && found[name] !== null) continue;
    const other = others.find((one) => isValueOf(one, found[one]));
    if (other !== undefined) found[name] = found[other];
  }
  if (isFields(found.symbol)) found.symbol = found.symbol.symbol ?? found.symbol.ticker ?? found.symbol.code;
  return found;
}

/** `from` and `to` may be a range of time. */
const isValueOf = (name: string, value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  ((name !== 'from' && name !== 'to') || instant(value) === null || isDigit(value));
const isDigit = (value: unknown): boolean => typeof value === 'number' && value < 10;
