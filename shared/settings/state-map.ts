// Pure: maps states in another service's numbers or words to those of the contract.
import { z } from 'zod';
import { STATES, type State, type StateName, stateFromText, stateLabel, stateName } from '../domain/states.ts';
import { err, ok, type Result } from '../lib/result.ts';

/** A number or word of the service, and its state. */
export const StateMapSchema = z
  .record(
    z.string().trim().min(1).max(40),
    z.enum(['normal', 'elevated', 'high_risk'] satisfies readonly StateName[]),
    'pairs of a number or word of the service and normal, elevated or high_risk',
  )
  .refine((map) => Object.keys(map).length > 0, 'at least one number or word')
  .refine((map) => Object.keys(map).length <= 20, 'at most 20 numbers and words')
  .refine((map) => new Set(Object.keys(map).map(folded)).size === Object.keys(map).length, 'each number or word once');
export type StateMap = z.infer<typeof StateMapSchema>;

/** Case, blanks, `_` and a dash between letters make no difference; a minus sign does. */
const folded = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+|(?<=\p{L})-(?=\p{L})/gu, '_');

/** The state of a word; null: not in the map. */
export function mappedState(map: StateMap, word: string): State | null {
  const found = Object.entries(map).find(([key]) => folded(key) === folded(word));
  return found === undefined ? null : stateFromText(found[1]);
}

/** Parses "1 = High Risk, amber = Elevated"; the error names the wrong part and the correct form. */
export function parseStateMap(text: string): Result<StateMap, string> {
  const pairs: [string, StateName][] = [];
  for (const part of text.split(/[,;\n]/).filter((one) => one.trim() !== '')) {
    const [word = '', named = '', ...rest] = part.split('=').map((one) => one.trim());
    const meant = stateFromText(named);
    if (word === '' || meant === null || rest.length > 0)
      return err(
        `"${part.trim()}" is no pair. Write a number or word of the service, = and ${STATES.map(stateLabel).join(', ')}, like 1 = High Risk.`,
      );
    if (pairs.some(([known]) => folded(known) === folded(word))) return err(`"${word}" is there twice.`);
    pairs.push([word, stateName(meant)]);
  }
  const map = StateMapSchema.safeParse(Object.fromEntries(pairs));
  return map.success ? ok(map.data) : err(`It needs ${map.error.issues[0]?.message ?? 'pairs like 1 = High Risk'}.`);
}

/** "1 = High Risk, amber = Elevated". */
export const stateMapText = (map: StateMap): string =>
  Object.entries(map)
    .map(([word, name]) => `${word} = ${stateLabel(stateFromText(name) ?? 1)}`)
    .join(', ');
