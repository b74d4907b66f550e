// Pure: the English texts of market breadth: the share of a list that is in a state.
import { stateLabel } from '../../domain/states.ts';
import {
  BREADTH_PERCENT,
  type Breadth,
  type BreadthCondition,
  END_SHARE,
  isMeasured,
  type Measurement,
  shareOf,
} from '../../settings/breadth-conditions.ts';
import { wholePercent } from '../format.ts';
import { plural } from './plural.ts';

const stateText = (state: BreadthCondition['state']): string =>
  state === 2 ? stateLabel(2) : `${stateLabel(1)} or ${stateLabel(2)}`;
const countText = (measured: Measurement, state: BreadthCondition['state']): string =>
  `${measured.symbols.length} of ${measured.known} (${wholePercent(shareOf(measured))} %) ${plural(measured.symbols.length, 'is', 'are')} ${stateText(state)}`;
const unknownText = ({ known, of }: Measurement): string =>
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
  fields: {
    none: 'Choose a list',
    list: 'Of the watchlist',
    percent: 'At least, % of its symbols',
    state: 'Are',
    states: { 1: 'Elevated or High Risk', 2: 'High Risk' },
    note: (percent: number) =>
      `Notified once; again only after the share was below ${Number((percent * END_SHARE).toFixed(1))} %. Symbols whose state is not known are left out; nothing is notified while fewer than half are known.`,
  },
  problems: {
    list: 'Choose a watchlist.',
    percent: `A whole percentage from ${BREADTH_PERCENT.least} to ${BREADTH_PERCENT.most}, like 30.`,
  },
  /** The present share, in the list of rules and beside the form. */
  status: (measured: Measurement, { percent, state }: Pick<BreadthCondition, 'percent' | 'state'>) => {
    if (measured.of === 0) return 'The list has no symbols: it would never notify.';
    if (!isMeasured(measured))
      return `The state of ${measured.known} of ${measured.of} symbols is known: nothing is notified until it is of half.`;
    const isMet = shareOf(measured) >= percent;
    return [`Now ${countText(measured, state)}${isMet ? ', which meets it' : ''}.`, unknownText(measured)]
      .filter(Boolean)
      .join(' ');
  },
  /** In place of the rule's name: the setting that asked for it. */
  byGrouping: 'Grouping, in Settings',
  backtest: {
    assumed: 'The list as it is now, by the transitions in the ledger of this computer.',
  },
};
