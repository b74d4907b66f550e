// Pure: the English texts of market breadth: the share of a list that is in a state.
import { stateLabel } from '../../domain/states.ts';
import type { Breadth, BreadthCondition, Measurement } from '../../settings/breadth-conditions.ts';
import { wholePercent } from '../format.ts';
import { plural } from './plural.ts';

const stateText = (state: BreadthCondition['state']): string =>
  state === 2 ? stateLabel(2) : `${stateLabel(1)} or ${stateLabel(2)}`;
/** "9 of 30 (30 %) are High Risk". */
export const countText = ({ symbols, known }: Measurement, state: BreadthCondition['state']): string =>
  `${symbols.length} of ${known} (${wholePercent((symbols.length * 100) / known)} %) ${plural(symbols.length, 'is', 'are')} ${stateText(state)}`;
export const unknownText = ({ known, of }: Measurement): string =>
  known === of
    ? ''
    : `The state of ${of - known} more ${plural(of - known, 'symbol', 'symbols')} of the list is not known.`;
const named = (symbols: readonly string[], most: number): string =>
  symbols.length <= most + 1
    ? symbols.join(', ')
    : `${symbols.slice(0, most).join(', ')} and ${symbols.length - most} more`;

/** "Tech: 9 of 30 (30 %) are High Risk". */
export const breadthText = (breadth: Breadth): string =>
  `${breadth.name}: ${countText(breadth, breadth.condition.state)}`;

/** @param list name of the list */
export const breadthCondition = ({ percent, state }: BreadthCondition, list: string): string =>
  `${percent} % or more of ${list} at ${stateText(state)}`;

/** Of alerts; the first page loads them. */
export const breadth = {
  heading: 'Market breadth',
  crossed: breadthText,
  condition: breadthCondition,
  /** "9 of 30". */
  share: ({ symbols, known }: Measurement) => `${symbols.length} of ${known}`,
  /** The symbols, in a notification. */
  body: (breadth: Breadth) => [`${named(breadth.symbols, 12)}.`, unknownText(breadth)].filter(Boolean).join(' '),
  symbols: (breadth: Breadth) => breadth.symbols.join(', '),
  unknown: unknownText,
  asked: (breadth: Breadth) =>
    [`You asked for ${breadthCondition(breadth.condition, breadth.name)}.`, unknownText(breadth)]
      .filter(Boolean)
      .join(' '),
  over: (at: string) => `Over since ${at}`,
  open: 'Show the symbols',
  /** In place of the rule's name: the setting that asked for it. */
  byGrouping: 'Grouping, in Settings',
};
