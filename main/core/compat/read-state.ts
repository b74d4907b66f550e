// Main, core: reads the state of a record by a service that may have other words or numbers for it.
import { type State, stateFromText } from '../../../shared/domain/states.ts';
import { isFields, word } from './fields.ts';

export interface StateReading {
  readonly state: State;
  /** The service's own text, where it names none of the three states: it ranks as High Risk until it is mapped. */
  readonly word?: string;
}

/** Most characters of a displayed word. */
const LONGEST_WORD = 40;
/** Words beside a name that leave its meaning as it is. */
const NEUTRAL = new Set([
  'state',
  'signal',
  'signals',
  'status',
  'risk',
  'level',
  'market',
  'regime',
  'is',
  'in',
  'entered',
]);

/**
 * The first given candidate: a name in any spelling, with any prefix, or the integer 0, 1 or 2. A name that is
 * not known is not replaced by the number beside it: who has its own words may have its own numbers.
 * @returns null when no candidate is given
 */
export function readState(...candidates: readonly unknown[]): StateReading | null {
  const given = candidates.map(stateText).find((one) => one !== null) ?? null;
  if (given === null) return null;
  if (/^[012]$/.test(given)) return { state: Number(given) as State };
  const named = namedState(given);
  return named === null ? { state: 2, word: given.slice(0, LONGEST_WORD).toWellFormed() } : { state: named };
}

/** The state alone; an unknown word ranks as High Risk. */
export const state = (...candidates: readonly unknown[]): State | null => readState(...candidates)?.state ?? null;

/** The text of a state; of `{code, label}` the part that names one of the three, else the label. */
export function stateText(value: unknown): string | null {
  if (!isFields(value)) return word(value)?.trim() || null;
  const parts = [value.label, value.name, value.state_name, value.text, value.code, value.value, value.state].flatMap(
    (part) => word(part) ?? [],
  );
  return parts.find((part) => namedState(part) !== null) ?? parts[0] ?? null;
}

/**
 * "STATE_HIGH_RISK", "signal.high_risk" and "HighRisk" contain the name of exactly one state. Below High Risk
 * the other words must be neutral: "not normal" and "elevated to red" are not what their name says.
 */
export function namedState(text: string): State | null {
  const exact = stateFromText(text);
  if (exact !== null) return exact;
  const words = text
    .slice(0, 200)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((one) => one !== '');
  const isAt = (name: readonly string[], index: number): boolean =>
    name.every((part, offset) => words[index + offset] === part);
  const found = NAMES.flatMap(({ state: named, name }) =>
    words.flatMap((_, index) => (isAt(name, index) ? [{ named, index, length: name.length }] : [])),
  );
  const states = new Set(found.map(({ named }) => named));
  const [first] = found;
  if (states.size !== 1 || first === undefined) return null;
  const others = words.filter((_, index) => index < first.index || index >= first.index + first.length);
  const isPlain =
    first.named === 2 ? !others.some((one) => NEGATIONS.has(one)) : others.every((one) => NEUTRAL.has(one));
  return isPlain ? first.named : null;
}

const NEGATIONS = new Set(['not', 'no', 'non', 'left', 'ended', 'over', 'from', 'was', 'previously', 'cleared']);
const NAMES: readonly { readonly state: State; readonly name: readonly string[] }[] = [
  { state: 0, name: ['normal'] },
  { state: 1, name: ['elevated'] },
  { state: 2, name: ['high', 'risk'] },
  { state: 2, name: ['highrisk'] },
];
