// Service, briefings: the past week, published on Saturdays.
import { stateLabel } from '../../shared/domain/states.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { priceText } from '../signals/notes.ts';
import { changesSince } from './change-sections.ts';
import type { Choice } from './choice.ts';
import { COLUMNS } from './columns.ts';
import { isFund, type SymbolSnapshot } from './context.ts';
import { type Block, draftOf, headed, type Section, type Writer } from './draft.ts';
import { capital, count, countOf, isAre, listUpTo, longDay, moved, signed, table, wholePercent } from './format.ts';
import { highlightsOf, subjectOf } from './highlights.ts';
import { breadth, levels, regimes } from './market-sections.ts';
import { byRisk, rangeOf, statesOf, symbolsOf, type Week, weeksOf } from './measures.ts';
import { factors, ninetyDays, record } from './symbol-sections.ts';

const WEIGHTS = { turn: 1.5, width: 1.4, edge: 1.2, past: 1.2, move: 0.4, entries: 0.7 };

export const weekly: Writer = (context, choose, date) => {
  const weeks = weeksOf(context);
  const funds = weeks.filter(isFund).sort((a, b) => b.move - a.move);
  const { symbol, price } = context.lead;
  const lead = weeks.find((week) => week.symbol === symbol);
  const [highlight, second] = highlightsOf(context, choose, WEIGHTS);
  const subject = subjectOf(context, highlight);
  const up = weeks.filter(({ move }) => move > 0).length;
  const [best, worst] = [funds[0], funds.at(-1)];
  const opening = choose.pick([
    `In the week to ${longDay(date)} ${lead === undefined ? symbol : `${symbol} ${moved(lead.move)} to ${priceText(price)}`}; ${up} of ${weeks.length} symbols rose.`,
    `${capital(countOf(up))} of ${weeks.length} symbols rose in the week to ${longDay(date)}.${lead === undefined ? '' : ` ${symbol} ${moved(lead.move)} and ended at ${priceText(price)}.`}`,
  ]);
  const spread =
    best === undefined || worst === undefined || best === worst
      ? ''
      : choose.pick([
          `Best among funds and indices was ${best.symbol} (${signed(best.move)}), weakest ${worst.symbol} (${signed(worst.move)}).`,
          `The span ran from ${worst.symbol} at ${signed(worst.move)} to ${best.symbol} at ${signed(best.move)}.`,
        ]);
  const blocks: Block[] = [
    ...choose.shuffle<Block>([
      (_context, draw) => weekTable(draw, funds),
      ({ snapshots }, draw) => highRiskSection(draw, weeks, byRisk(snapshots)[0]),
      changesSince(({ at }) => at - 7 * DAY_MS, 'last Saturday'),
    ]),
    ...choose.shuffle<Block>([regimes, breadth, choose.chance(0.5) ? factors : ninetyDays]),
    levels,
    record,
  ];
  return draftOf({
    title: headed(choose, ['The week', `Week to ${longDay(date)}`, 'Weekly'], highlight?.title ?? ''),
    summary: `${opening} ${highlight?.text ?? ''}`.trim(),
    lead: [opening, spread, highlight?.text ?? '', second?.text ?? ''],
    sections: blocks.map((block) => block(context, choose, subject)),
    symbols: [...(highlight?.symbols ?? []), symbol, ...symbolsOf([best, worst].filter((one) => one !== undefined))],
  });
};

/** The best and the weakest funds. */
function weekTable(choose: Choice, funds: readonly Week[]): Section | null {
  if (funds.length < 2) return null;
  const edge = choose.pick([3, 4]);
  const shown = funds.length <= 2 * edge ? funds : [...funds.slice(0, edge), ...funds.slice(-edge)];
  const position = (week: Week): string => {
    const range = rangeOf(week);
    return range === null ? 'n/a' : wholePercent(range.position);
  };
  const { symbol, price, state, regime } = COLUMNS;
  return {
    heading: choose.pick(['The week in funds', 'Best and weakest', 'Fund by fund']),
    text: table<Week>(
      [symbol, ['>Week', ({ move }) => signed(move)], price, ['>In 90-day range', position], state, regime],
      shown,
    ),
  };
}

/** Symbols in High Risk during the week, and their share of the past 90 days. */
function highRiskSection(choose: Choice, weeks: readonly Week[], riskiest: SymbolSnapshot | undefined): Section {
  const rows = weeks.filter(({ high }) => high > 0).sort((a, b) => b.high - a.high);
  const heading = choose.pick(['Where the risk was', 'High Risk this week', 'Sessions in High Risk']);
  if (rows.length === 0) {
    const furthest =
      riskiest === undefined ? '' : ` Furthest on the way is ${riskiest.symbol}, ${stateLabel(riskiest.state)}.`;
    return { heading, text: `No symbol closed a session of this week in High Risk.${furthest}` };
  }
  const names = symbolsOf(rows);
  const opening = choose.pick([
    `${capital(count(rows.length))} ${rows.length === 1 ? 'symbol' : 'symbols'} closed at least one session of the week in High Risk: ${listUpTo(names, 5)}.`,
    `${listUpTo(names, 5)} ${isAre(names.length)} what High Risk was about this week.`,
  ]);
  const text = table<Week>(
    [
      COLUMNS.symbol,
      ['>Sessions this week', ({ high }) => String(high)],
      ['>In 90 days', (week) => `${statesOf(week).sessions[2]} of ${week.days.length}`],
      ['>Times it began', (week) => String(statesOf(week).entries)],
      COLUMNS.now,
    ],
    rows.slice(0, 6),
  );
  return { heading, text: `${opening}\n\n${text}` };
}
