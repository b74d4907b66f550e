// Service, briefings: the sections about the market that several types of briefing share.
// A section without content is null.
import { DAY_MS } from '../../shared/lib/time.ts';
import { COLUMNS } from './columns.ts';
import type { BriefingContext, SymbolSnapshot } from './context.ts';
import type { Block } from './draft.ts';
import {
  type Column,
  capital,
  count,
  countOf,
  fallText,
  isAre,
  list,
  listUpTo,
  regimeText,
  shortDay,
  table,
} from './format.ts';
import {
  breadthOf,
  byRisk,
  drawdownShare,
  fundsOf,
  pricedOn,
  risenOf,
  roomToBreach,
  size,
  symbolsOf,
} from './measures.ts';

/** The broad market and the riskiest funds, `most` rows. */
export const stateTable =
  (most: number): Block =>
  (context, choose) => {
    const { symbol, state, price, day, week, drawdown, confidence, baseRate } = COLUMNS;
    const others = byRisk(fundsOf(context)).filter((snapshot) => snapshot.symbol !== context.lead.symbol);
    const columns = [symbol, state, price, day, ...(choose.chance(0.5) ? [week] : []), drawdown, confidence, baseRate];
    const note = choose.pick([
      'Confidence is the chance in percent that the state is right: in Elevated and High Risk that the warned fall follows, in Normal that none does. The base rate is how often it follows any close.',
      'Read the confidence beside the base rate: the one is the chance that the warned fall follows now (in Normal: that it does not), the other how often it follows any close at all.',
      'In Elevated and High Risk the confidence is the chance of the warned fall, in Normal the chance of none. Without any signal the chance of a fall is the base rate.',
    ]);
    const rows = [context.lead, ...others].slice(0, most);
    const falling = rows.filter(({ reading }) => reading.claim === 'further_fall');
    const remark =
      falling.length === 0 ? '' : ` For ${list(symbolsOf(falling))} both are about ${fallText('further_fall')}.`;
    return {
      heading: choose.pick(['States now', 'State of the market', 'State by state', 'Symbols and their states']),
      text: `${table(columns, rows)}\n\n${note}${remark}`,
    };
  };

/** The breach levels of the funds nearest to them. */
export const levels: Block = (context, choose) => {
  const rows = fundsOf(context)
    .filter((snapshot) => (roomToBreach(snapshot) ?? -1) > 0)
    .sort((a, b) => drawdownShare(b) - drawdownShare(a))
    .slice(0, choose.pick([4, 5, 6]));
  if (rows.length < 2) return null;
  const sentence = choose.pick([
    `A breach is a fall from the 21-day high that is large for the symbol's own volatility. ${rows[0]?.symbol} has gone furthest.`,
    `These are the closes that would count as a breach, nearest in terms of the way already gone first.`,
    `How far prices may still fall before it counts as a breach, for those that have gone furthest. ${rows[0]?.symbol} leads the list.`,
  ]);
  const { symbol, price, breach, room, usualDays } = COLUMNS;
  return {
    heading: choose.pick(['Levels that matter', 'What would be a breach', 'Room to fall']),
    text: `${sentence}\n\n${table([symbol, price, breach, room, usualDays], rows)}`,
  };
};

/** " The other three have no price of the day.", or nothing. @param priced the symbols with one */
export function unpricedText({ snapshots }: BriefingContext, priced: readonly SymbolSnapshot[]): string {
  const rest = snapshots.length - priced.length;
  return rest === 0 ? '' : ` The other ${count(rest)} ${rest === 1 ? 'has' : 'have'} no price of the day.`;
}

/** The largest moves of a session day, in multiples of each symbol's usual move. */
export const movers =
  (date: string): Block =>
  (context, choose) => {
    const priced = pricedOn(context, date);
    const total = priced.length;
    const rows = priced
      .filter((snapshot) => size(snapshot) !== null)
      .sort((a, b) => (size(b) ?? 0) - (size(a) ?? 0))
      .slice(0, choose.pick([4, 5, 6]));
    if (rows.length < 3) return null;
    const up = risenOf(priced);
    const breadthText = choose.pick([
      `${capital(countOf(up))} of ${total} symbols ${isAre(up)} up.`,
      `Advancers ${up}, the rest ${total - up}.`,
      `Up: ${up} of ${total}.`,
    ]);
    const { symbol, price, day, usual, timesUsual, state } = COLUMNS;
    return {
      heading: choose.pick(['Who moved', 'Moves against the usual day', 'Movers']),
      text: `${breadthText}${unpricedText(context, priced)} ${choose.pick([
        'The largest moves, measured in days that are usual for each symbol (the median of its past 90 days):',
        'Size counts in usual days, so that a quiet fund and a wild share can be compared:',
        'Ranked by how unusual the move is, not by how large:',
      ])}\n\n${table([symbol, price, ['>Move', day[1]], usual, timesUsual, state], rows)}`,
    };
  };

/** The regimes of the funds, and those that changed within a week. */
export const regimes: Block = (context, choose) => {
  const funds = fundsOf(context).filter(({ regime }) => regime !== null);
  if (funds.length < 3) return null;
  const rows = [...Map.groupBy(funds, ({ regime }) => regime)].sort((a, b) => b[1].length - a[1].length);
  const turned = [...funds, ...context.regimeOnly]
    .filter(({ regimeSince }) => regimeSince !== null && regimeSince > context.at - 7 * DAY_MS)
    .map(({ symbol, regime }) => `${symbol} (to ${regimeText(regime)})`);
  const turnedText =
    turned.length === 0
      ? 'None of them turned in the past week.'
      : `Turned within the past week: ${listUpTo(turned, 4)}.`;
  const others = context.regimeOnly.map(({ symbol, regime }) => `${symbol} in ${regimeText(regime)}`);
  const columns: Column<(typeof rows)[number]>[] = [
    ['Regime', ([regime]) => regimeText(regime)],
    ['>Funds and indices', ([, members]) => String(members.length)],
    ['Which', ([, members]) => listUpTo(symbolsOf(members), 6)],
  ];
  return {
    heading: choose.pick(['Regimes', 'The slower picture', 'Which regime']),
    text: `${table(columns, rows)}\n\n${turnedText}${others.length === 0 ? '' : ` Beside the funds: ${list(others)}.`}`,
  };
};

/** Number of symbols out of Normal, compared with the past 90 days. */
export const breadth: Block = (context, choose) => {
  const found = breadthOf(context);
  if (found === null) return null;
  const { now, median, most, mostOn } = found;
  const total = context.snapshots.length;
  const high = symbolsOf(byRisk(context.snapshots.filter(({ state }) => state === 2)));
  const named = high.length === 0 ? 'None is in High Risk.' : `In High Risk: ${listUpTo(high, 7)}.`;
  return {
    heading: choose.pick(['Breadth', 'How wide it is', 'Across the board']),
    text: `${choose.pick([
      `${now} of ${total} symbols are out of Normal. At the closes of the past 90 days the median was ${median} and the most ${most}, on ${shortDay(mostOn)}.`,
      `Out of Normal at present: ${now} of ${total}. That compares with a median of ${median} over 90 days and a peak of ${most} on ${shortDay(mostOn)}.`,
    ])} ${named}`,
  };
};
