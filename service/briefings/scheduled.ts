// Service, briefings: the briefings of a working day (open, midday, close) and of the week.
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import { priceText } from '../signals/notes.ts';
import { COLUMNS } from './columns.ts';
import { type BriefingContext, isFund } from './context.ts';
import { type Block, draftOf, type Section, sectionOf, type Writer } from './draft.ts';
import { due } from './due-section.ts';
import { dayName, longDay, moved, orNone, signed, tally, weekday, wholePercent } from './format.ts';
import { type HighlightWeights, highlightsOf, subjectOf } from './highlights.ts';
import {
  breadth,
  changesSince,
  changesSinceClose,
  levels,
  movers,
  regimes,
  sessionBegin,
  states,
  unpricedText,
} from './market-sections.ts';
import {
  changesOfSession,
  isForming,
  pricedOn,
  rangeOf,
  risenOf,
  statesOf,
  symbolsOf,
  type Week,
  weeksOf,
} from './measures.ts';
import { factors, ninetyDays, record } from './symbol-sections.ts';

interface Plan {
  /** Begins the title. */
  readonly label: string;
  readonly weights: HighlightWeights;
  /** Weights without a session in progress: they raise what the previous briefing did not lead with. */
  readonly closedWeights?: HighlightWeights;
  /** @param date session day of the briefing */
  readonly opening: (context: BriefingContext, date: string) => string;
  readonly sections: (forming: boolean, date: string) => readonly Block[];
}

/** "14 of 45 symbols", of those with a price of the session day. */
const risenText = (context: BriefingContext, date: string, verb: string): string => {
  const priced = pricedOn(context, date);
  return `${risenOf(priced)} of ${priced.length} symbols ${verb}.${unpricedText(context, priced)}`;
};

/** "Monday's closes"; otherwise the last closes of the symbols differ in date. */
function lastCloses({ snapshots }: BriefingContext): string {
  const [date, ...others] = new Set(snapshots.map(({ days }) => dateOf((days.at(-1)?.closedAt ?? 1) - 1)));
  return date === undefined || others.length > 0 ? 'the last close of each symbol' : `${weekday(date)}'s closes`;
}

const PLANS = {
  'pre-market': {
    label: 'Before the open',
    weights: { near: 1.3, turn: 1.3, move: 0.8 },
    closedWeights: { near: 1.6, past: 0.8, turn: 0.5, entries: 0.6, edge: 0.4, move: 0 },
    opening(context, date) {
      const { list, isOneClose } = changesOfSession(context);
      const changed = new Set(list.map(({ symbol }) => symbol)).size;
      return `${dayName(date)}, before the open: changes of state on ${tally(changed, 'symbol')} ${sessionBegin(context, isOneClose)}.`;
    },
    sections: () => [states, due(2), levels, changesSinceClose, factors, regimes, breadth, record],
  },
  midday: {
    label: 'Midday',
    weights: { entries: 1.3, move: 1.2, edge: 1.3, near: 0.9 },
    closedWeights: { edge: 1.8, ground: 1.6, past: 0.4, near: 0.2, entries: 0.3, turn: 0.2, move: 0 },
    opening: (context, date) =>
      isForming(context)
        ? `${dayName(date)}, midday: ${risenText(context, date, 'are above their last close')}`
        : `${dayName(date)}, midday, by ${lastCloses(context)}: no price of the day itself is in yet.`,
    sections: (forming, date) =>
      forming
        ? [movers(date), changesSinceClose, factors, breadth, levels, record]
        : [factors, levels, ninetyDays, breadth, regimes, record],
  },
  'after-hours': {
    label: 'After the close',
    weights: { move: 1.4, past: 1.1, entries: 1.1, ground: 1.1 },
    opening(context, date) {
      const high = context.snapshots.filter(({ state }) => state === 2).length;
      return `${dayName(date)}, after the close, with ${high} in High Risk: ${risenText(context, date, 'rose')}`;
    },
    sections: (_forming, date) => [
      movers(date),
      changesSince(({ at }) => at - DAY_MS, 'yesterday at this time'),
      states,
      factors,
      levels,
      breadth,
      ninetyDays,
      record,
    ],
  },
} as const satisfies Record<string, Plan>;

/** The briefings of a working day, by type. */
export const daily =
  (type: keyof typeof PLANS): Writer =>
  (context, date) => {
    const { label, weights, closedWeights = weights, opening, sections }: Plan = PLANS[type];
    const forming = isForming(context);
    const [first, second] = highlightsOf(context, forming ? weights : closedWeights, pricedOn(context, date));
    const subject = subjectOf(context, first);
    return draftOf({
      title: `${label}: ${first?.title ?? ''}`,
      summary: first?.text ?? '',
      lead: [opening(context, date), first?.text ?? '', second?.text ?? ''],
      sections: sections(forming, date).map((block) => block(context, subject)),
      symbols: [...(first?.symbols ?? []), ...(second?.symbols ?? []), context.lead.symbol],
    });
  };

/** The past week, published on Saturdays. */
export const weekly: Writer = (context, date) => {
  const weeks = weeksOf(context);
  const funds = weeks.filter(isFund).sort((a, b) => b.move - a.move);
  const { symbol, price } = context.lead;
  const lead = weeks.find((week) => week.symbol === symbol);
  const [first, second] = highlightsOf(context, { turn: 1.5, edge: 1.2, past: 1.2, move: 0.4, entries: 0.7 });
  const subject = subjectOf(context, first);
  const up = weeks.filter(({ move }) => move > 0).length;
  const own = lead === undefined ? '' : ` ${symbol} ${moved(lead.move)} to ${priceText(price)}.`;
  const opening = `Week to ${longDay(date)}: ${up} of ${weeks.length} symbols rose.${own}`;
  const blocks = [
    changesSince(({ at }) => at - 7 * DAY_MS, 'last Saturday'),
    due(5),
    regimes,
    breadth,
    factors,
    levels,
    record,
  ];
  return draftOf({
    title: `The week: ${first?.title ?? ''}`,
    summary: `${opening} ${first?.text ?? ''}`.trim(),
    lead: [opening, first?.text ?? '', second?.text ?? ''],
    sections: [weekTable(funds), highRiskTable(weeks), ...blocks.map((block) => block(context, subject))],
    symbols: [...(first?.symbols ?? []), symbol, ...symbolsOf([...funds.slice(0, 1), ...funds.slice(-1)])],
  });
};

/** The best and the weakest funds. */
function weekTable(funds: readonly Week[]): Section | null {
  const shown = funds.length <= 8 ? funds : [...funds.slice(0, 4), ...funds.slice(-4)];
  const { symbol, price, state, regime } = COLUMNS;
  return sectionOf<Week>(
    'Best and weakest',
    [
      symbol,
      ['>Week', ({ move }) => signed(move)],
      price,
      ['>In 90-day range', (week) => orNone(rangeOf(week), ({ position }) => wholePercent(position))],
      state,
      regime,
    ],
    shown,
  );
}

/** Symbols in High Risk during the week, and their share of the past 90 days. */
function highRiskTable(weeks: readonly Week[]): Section {
  const rows = weeks.filter(({ high }) => high > 0).sort((a, b) => b.high - a.high);
  const heading = 'High Risk this week';
  return (
    sectionOf<Week>(
      heading,
      [
        COLUMNS.symbol,
        ['>Closes this week', ({ high }) => String(high)],
        ['>In 90 days', (week) => `${statesOf(week).sessions[2]} of ${week.days.length}`],
        ['>Times it began', (week) => String(statesOf(week).entries)],
        COLUMNS.now,
      ],
      rows.slice(0, 6),
      `${tally(rows.length, 'symbol')} of ${weeks.length} closed at least one session in High Risk.`,
    ) ?? { heading, text: 'No symbol closed a session of this week in High Risk.' }
  );
}
