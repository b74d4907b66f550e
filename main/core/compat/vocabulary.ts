// Main, core: reads records in the fields, states and symbols of one service as those of the contract.
// Three steps: the fields get the contract's names, the states the meaning that the profile gives them, and the
// symbols the spelling of the watchlists.
import { stateName } from '../../../shared/domain/states.ts';
import { mappedState, type StateMap } from '../../../shared/settings/state-map.ts';
import { type Fields, isFields, symbol, text } from './fields.ts';
import { stateText } from './read-state.ts';
import { canonicalEvent, canonicalRow } from './record-fields.ts';

export interface Vocabulary {
  /** A row of a list, for the readers of records. */
  row(given: unknown): unknown;
  /** An event with its `data`, or flat. */
  event(given: unknown): unknown;
  /** False: states and numbers have the contract's meaning. */
  hasStates(): boolean;
  /** The watchlists' spelling of a service's symbol; other symbols stay as they are. */
  ownSymbol(given: string): string;
  /** The service's spelling of a symbol, for requests. */
  theirSymbol(own: string): string;
}

export interface VocabularyDeps {
  /** The profile's state map. */
  readonly states?: StateMap | undefined;
  readonly symbols: () => readonly string[];
  /** Digits that the service used alone in place of states, over all runs. */
  readonly digits: { read(): string; write(digits: string): void };
}

/** A numbering from one: proven by a 3 where no 0 was ever seen. */
const FROM_ONE: StateMap = { 1: 'normal', 2: 'elevated', 3: 'high_risk' };
const STATE_FIELDS = [
  'state_name',
  'to_state',
  'state',
  'risk_level',
  'from_state',
  'worst_state',
  'model_state',
  'peak_state',
];
/** Symbols whose other spelling is remembered. */
const MOST_SPELLINGS = 5_000;

export function createVocabulary({ states, symbols, digits }: VocabularyDeps): Vocabulary {
  let seen = digits.read();
  const isFromOne = (): boolean => seen.includes('3') && !seen.includes('0');
  const observe = (record: Fields): void => {
    const given = ['state', 'to_state', 'risk_level']
      .map((name) => stateText(record[name]))
      .find((one) => one !== null);
    if ((given !== '0' && given !== '3') || seen.includes(given) || stateText(record.state_name) !== null) return;
    seen += given;
    digits.write(seen);
  };
  const mapped = (record: Fields): Fields => {
    observe(record);
    const map = isFromOne() ? { ...FROM_ONE, ...states } : states;
    if (map === undefined) return record;
    const found: Record<string, unknown> = { ...record };
    for (const name of STATE_FIELDS) {
      const given = stateText(record[name]);
      const meant = given === null ? null : mappedState(map, given);
      if (meant !== null) found[name] = name === 'state_name' ? stateName(meant) : meant;
    }
    return found;
  };

  const theirs = new Map<string, string>();
  let own = new Map<string, string>();
  let listed: readonly string[] = [];
  const ownSymbol = (given: string): string => {
    const now = symbols();
    if (now !== listed) {
      listed = now;
      // The list's own spellings come last: BRK-B is itself where both are watched.
      own = new Map([...now.map((one) => [spellingKey(one), one] as const), ...now.map((one) => [one, one] as const)]);
    }
    if (own.has(given)) return given;
    const read = symbol(given) ?? given;
    const found = own.get(read) ?? own.get(spellingKey(read)) ?? read;
    if (found !== given && found !== given.trim().toUpperCase() && theirs.size < MOST_SPELLINGS)
      theirs.set(found, given.trim());
    return found;
  };
  const spelled = (record: Fields): Fields => {
    const given = text(record.symbol);
    return given === null ? record : { ...record, symbol: ownSymbol(given) };
  };
  const read = (record: unknown): unknown => (isFields(record) ? spelled(mapped(record)) : record);

  return {
    row: (given) => read(canonicalRow(given)),
    event(given) {
      const event = canonicalEvent(given);
      if (!isFields(event)) return event;
      return isFields(event.data) ? { ...event, data: read(event.data) } : read(event);
    },
    hasStates: () => states !== undefined || isFromOne(),
    ownSymbol,
    theirSymbol: (symbolOfList) => theirs.get(symbolOfList) ?? symbolOfList,
  };
}

/** BRK.B, BRK-B, BRK/B and BRK_B are one symbol. */
const spellingKey = (given: string): string => given.replaceAll(/[./_-]/g, '.');

/** That of the contract, for files and commands that belong to no profile. */
export const CONTRACT_VOCABULARY: Vocabulary = createVocabulary({
  symbols: () => NO_SYMBOLS,
  digits: { read: () => '0', write: () => undefined },
});
const NO_SYMBOLS: readonly string[] = [];
