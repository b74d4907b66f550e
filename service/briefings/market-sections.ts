// Service, briefings: the sections about the market that several types of briefing share.
// A section without content is null.
import { stateLabel } from '../../shared/domain/states.ts';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import { COLUMNS } from './columns.ts';
import type { BriefingContext, Change, Changes, SymbolSnapshot } from './context.ts';
import { type Block, type Section, sectionOf } from './draft.ts';
import { type Column, clockTime, fallText, list, listUpTo, regimeText, shortDay, table, tally } from './format.ts';
import {
  type Breadth,
  breadthOf,
  byRisk,
  changesOfSession,
  drawdownShare,
  fundsOf,
  isForming,
  pricedOn,
  roomToBreach,
  size,
  symbolsOf,
} from './measures.ts';

const MOST_ROWS = 6;

/** The broad market and the riskiest funds. */
export const states: Block = (context) => {
  const { symbol, state, price, day, week, drawdown, confidence, baseRate } = COLUMNS;
  const others = byRisk(fundsOf(context)).filter((snapshot) => snapshot !== context.lead);
  const rows = [context.lead, ...others].slice(0, MOST_ROWS);
  const falling = rows.filter(({ reading }) => reading.claim === 'further_fall');
  const remark =
    falling.length === 0 ? '' : ` For ${list(symbolsOf(falling))} both are about ${fallText('further_fall')}.`;
  return sectionOf(
    'States now',
    [symbol, state, price, day, week, drawdown, confidence, baseRate],
    rows,
    `Confidence is the chance that the state is right: in Elevated and High Risk that the warned fall follows, in Normal that none does. The base rate is how often it follows any close.${remark}`,
  );
};

/** The breach levels of the funds nearest to them. */
export const levels: Block = (context) => {
  const { symbol, price, breach, room, usualDays } = COLUMNS;
  return sectionOf(
    'Room to a breach',
    [symbol, price, breach, room, usualDays],
    fundsOf(context)
      .filter((snapshot) => (roomToBreach(snapshot) ?? -1) > 0)
      .sort((a, b) => drawdownShare(b) - drawdownShare(a))
      .slice(0, MOST_ROWS),
    "A breach is a fall from the 21-day high that is large for the symbol's own volatility.",
  );
};

/** " The other 3 have no price of the day.", or nothing. @param priced the symbols with one */
export function unpricedText({ snapshots }: BriefingContext, priced: readonly SymbolSnapshot[]): string {
  const rest = snapshots.length - priced.length;
  return rest === 0 ? '' : ` The other ${rest} ${rest === 1 ? 'has' : 'have'} no price of the day.`;
}

/** The largest moves of a session day, in multiples of each symbol's usual move. */
export const movers =
  (date: string): Block =>
  (context) => {
    const { symbol, price, day, usual, timesUsual, state } = COLUMNS;
    return sectionOf(
      'Largest moves',
      [symbol, price, ['>Move', day[1]], usual, timesUsual, state],
      pricedOn(context, date)
        .filter((snapshot) => size(snapshot) !== null)
        .sort((a, b) => (size(b) ?? 0) - (size(a) ?? 0))
        .slice(0, MOST_ROWS),
      'By how unusual the move is: the usual day is the median of the past 90 days.',
    );
  };

/** The regimes of the funds, and those that changed within a week. */
export const regimes: Block = (context) => {
  const funds = fundsOf(context).filter(({ regime }) => regime !== null);
  const rows = [...Map.groupBy(funds, ({ regime }) => regime)].sort((a, b) => b[1].length - a[1].length);
  const turned = [...funds, ...context.regimeOnly]
    .filter(({ regimeSince }) => regimeSince !== null && regimeSince > context.at - 7 * DAY_MS)
    .map(({ symbol, regime }) => `${symbol} (to ${regimeText(regime)})`);
  const others = context.regimeOnly.map(({ symbol, regime }) => `${symbol} in ${regimeText(regime)}`);
  const columns: Column<(typeof rows)[number]>[] = [
    ['Regime', ([regime]) => regimeText(regime)],
    ['>Funds and indices', ([, members]) => String(members.length)],
    ['Which', ([, members]) => listUpTo(symbolsOf(members), 6)],
  ];
  return sectionOf(
    'Regimes',
    columns,
    rows,
    `Turned within the past week: ${turned.length === 0 ? 'none' : listUpTo(turned, 4)}.`,
    others.length === 0 ? '' : `Beside the funds: ${list(others)}.`,
  );
};

/** Number of symbols out of Normal, compared with the past 90 days. */
export const breadth: Block = (context) => {
  const found = breadthOf(context);
  const high = symbolsOf(byRisk(context.snapshots.filter(({ state }) => state === 2)));
  const columns: Column<Breadth>[] = [
    ['>Out of Normal', ({ now }) => `${now} of ${context.snapshots.length}`],
    ['>Median of 90 days', ({ median }) => String(median)],
    ['>Most', ({ most }) => String(most)],
    ['On', ({ mostOn }) => shortDay(mostOn)],
    ['In High Risk', () => (high.length === 0 ? 'none' : listUpTo(high, 7))],
  ];
  return sectionOf('Breadth', columns, found === null ? [] : [found]);
};

/** Changes of state since an instant, world ms, as many as the event log lists. @param named the instant */
export const changesSince =
  (from: (context: BriefingContext) => number, named: string): Block =>
  (context) => {
    const asked = from(context);
    return changesSection(context.changes(asked), asked, `since ${named}`);
  };

/** "since the last close": from when the changes of the present session count. */
export function sessionBegin(context: BriefingContext, isOneClose: boolean): string {
  const close = isOneClose ? 'the last close' : 'the last close of each symbol';
  if (!isForming(context)) return `at ${close}`;
  return isOneClose ? `since ${close}` : `at or since ${close}`;
}

/** Changes of state since each symbol's own last close. */
export const changesSinceClose: Block = (context) => {
  const { asked, isOneClose, ...changes } = changesOfSession(context);
  // If the log begins later, its beginning applies to all symbols.
  const named = changes.since > asked ? context.changes(asked) : changes;
  return changesSection(named, asked, sessionBegin(context, isOneClose));
};

/** @param asked the requested instant, world ms, and its name */
function changesSection({ since: begin, source, list: changes }: Changes, asked: number, named: string): Section {
  const since =
    source === 'closes'
      ? `${named}, from close to close`
      : begin > asked
        ? `since the event log began on ${shortDay(dateOf(begin))} at ${clockTime(begin)}`
        : named;
  const heading = 'Changes of state';
  if (changes.length === 0) return { heading, text: `No symbol has changed its state ${since}.` };
  const high = changes.filter(({ to }) => to === 2);
  const back = changes.filter(({ to }) => to === 0);
  const symbols = new Set(changes.map(({ symbol }) => symbol));
  const columns: Column<Change>[] = [
    ['Symbol', ({ symbol }) => symbol],
    ['From', ({ from }) => stateLabel(from)],
    ['To', ({ to }) => stateLabel(to)],
    ['At', ({ at }) => `${shortDay(dateOf(at))} ${clockTime(at)}`],
  ];
  const latest = (high.length > 0 ? high : changes).slice(-MOST_ROWS).reverse();
  const caption = `${tally(changes.length, 'change')} ${since}, on ${tally(symbols.size, 'symbol')}: ${high.length} into High Risk, ${back.length} back to Normal. The latest${high.length > 0 ? ' into High Risk' : ''}:`;
  return { heading, text: `${caption}\n\n${table(columns, latest)}` };
}
