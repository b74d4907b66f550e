// Pure: the English texts of rules on the share of a list: fields, problems, the share now.
import {
  BREADTH_PERCENT,
  type BreadthCondition,
  END_SHARE,
  isMeasured,
  type Measurement,
  shareOf,
} from '../../settings/breadth-conditions.ts';
import { countText, unknownText } from './breadth.ts';

export const breadthRules = {
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
};
