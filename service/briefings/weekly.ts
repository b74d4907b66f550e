// Service, briefings: the week that was, on Saturdays.
import { DAY_MS } from '../../shared/lib/time.ts';
import type { Choice } from './choice.ts';
import { type BriefingContext, isFund, type SymbolSnapshot } from './context.ts';
import { type Draft, headed, writtenFrom } from './draft.ts';
import {
  capital,
  count,
  countOf,
  isAre,
  listUpTo,
  longDay,
  moved,
  quote,
  regimeWord,
  signed,
  stateWord,
  table,
} from './format.ts';
import { highlightsOf, subjectOf } from './highlights.ts';
import { rangeOf, statesOf } from './measures.ts';
import {
  type Block,
  bodyOf,
  breadth,
  byRisk,
  changesSince,
  factorTable,
  levels,
  ninetyDays,
  record,
  regimes,
  type Section,
} from './sections.ts';

const WEEK_MS = 7 * DAY_MS;

interface Week {
  readonly snapshot: SymbolSnapshot;
  /** Fraction, against the last close before the week. */
  readonly move: number;
  /** Closes of the week in High Risk. */
  readonly high: number;
}

function weekOf(context: BriefingContext, snapshot: SymbolSnapshot): Week | null {
  const began = snapshot.days.findIndex(({ closedAt }) => closedAt > context.at - WEEK_MS);
  const before = snapshot.days[began - 1];
  if (began < 1 || before === undefined) return null;
  return {
    snapshot,
    move: snapshot.price / before.reading.close - 1,
    high: snapshot.days.slice(began).filter(({ reading }) => reading.state === 2).length,
  };
}

export function weekly(context: BriefingContext, choose: Choice, date: string): Draft {
  const weeks = context.snapshots.flatMap((snapshot) => weekOf(context, snapshot) ?? []);
  const funds = weeks.filter(({ snapshot }) => isFund(snapshot)).sort((a, b) => b.move - a.move);
  const lead = weeks.find(({ snapshot }) => snapshot === context.lead);
  const highlights = highlightsOf(context, choose, {
    turn: 1.5,
    width: 1.4,
    edge: 1.2,
    past: 1.2,
    move: 0.4,
    entries: 0.7,
  });
  const [highlight] = highlights;
  const subject = subjectOf(context, highlight);
  const up = weeks.filter(({ move }) => move > 0).length;
  const [best, worst] = [funds[0], funds.at(-1)];
  const opening = choose.pick([
    `In the week to ${longDay(date)} ${lead === undefined ? context.lead.symbol : `${context.lead.symbol} ${moved(lead.move)} to ${quote(context.lead.price)}`}; ${up} of ${weeks.length} symbols rose.`,
    `${capital(countOf(up))} of ${weeks.length} symbols rose in the week to ${longDay(date)}.${lead === undefined ? '' : ` ${context.lead.symbol} ${moved(lead.move)} and ended at ${quote(context.lead.price)}.`}`,
  ]);
  const spread =
    best === undefined || worst === undefined || best === worst
      ? ''
      : choose.pick([
          `Best among funds and indices was ${best.snapshot.symbol} (${signed(best.move)}), weakest ${worst.snapshot.symbol} (${signed(worst.move)}).`,
          `The span ran from ${worst.snapshot.symbol} at ${signed(worst.move)} to ${best.snapshot.symbol} at ${signed(best.move)}.`,
        ]);
  const about = (): SymbolSnapshot => subject;
  const blocks: Block[] = [
    ...choose.shuffle<Block>([
      (): Section | null => weekTable(choose, funds),
      (one, draw): Section | null => whereRiskWas(one, draw, weeks),
      changesSince((one) => one.at - WEEK_MS, 'last Saturday'),
    ]),
    ...choose.shuffle<Block>([regimes, breadth, choose.chance(0.5) ? factorTable(about) : ninetyDays(about)]),
    levels,
    record(about),
  ];
  return writtenFrom({
    title: headed(choose, ['The week', `Week to ${longDay(date)}`, 'Weekly'], highlight?.title ?? ''),
    summary: `${opening} ${highlight?.text ?? ''}`.trim(),
    body: bodyOf(
      [opening, spread, highlight?.text ?? '', highlights[1]?.text ?? ''].filter((text) => text !== '').join('\n\n'),
      blocks.map((part) => part(context, choose)),
    ),
    symbols: [
      ...(highlight?.symbols ?? []),
      context.lead.symbol,
      ...(best === undefined ? [] : [best.snapshot.symbol]),
      ...(worst === undefined ? [] : [worst.snapshot.symbol]),
    ],
  });
}

function weekTable(choose: Choice, funds: readonly Week[]): Section | null {
  if (funds.length < 2) return null;
  const edge = choose.pick([3, 4]);
  const shown = funds.length <= 2 * edge ? funds : [...funds.slice(0, edge), ...funds.slice(-edge)];
  const positionText = ({ snapshot }: Week): string => {
    const range = rangeOf(snapshot);
    return range === null ? 'n/a' : `${Math.round(100 * range.position)} %`;
  };
  return {
    heading: choose.pick(['The week in funds', 'Best and weakest', 'Fund by fund']),
    text: table(
      ['Symbol', '>Week', '>Price', '>In 90-day range', 'State', 'Regime'],
      shown.map((week) => [
        week.snapshot.symbol,
        signed(week.move),
        quote(week.snapshot.price),
        positionText(week),
        stateWord(week.snapshot.state),
        regimeWord(week.snapshot.regime),
      ]),
    ),
  };
}

/** Who spent the week, and the past 90 days, in High Risk. */
function whereRiskWas(context: BriefingContext, choose: Choice, weeks: readonly Week[]): Section | null {
  const lived = weeks.filter(({ high }) => high > 0).sort((a, b) => b.high - a.high);
  const heading = choose.pick(['Where the risk was', 'High Risk this week', 'Sessions in High Risk']);
  if (lived.length === 0) {
    const longest = byRisk(context.snapshots)[0];
    return {
      heading,
      text: `No symbol closed a session of this week in High Risk.${longest === undefined ? '' : ` Furthest on the way is ${longest.symbol}, ${stateWord(longest.state)}.`}`,
    };
  }
  const rows = lived.slice(0, 6).map(({ snapshot, high }) => {
    const { sessions, entries } = statesOf(snapshot);
    return [
      snapshot.symbol,
      String(high),
      `${sessions[2]} of ${snapshot.days.length}`,
      String(entries),
      stateWord(snapshot.state),
    ];
  });
  const names = lived.map(({ snapshot }) => snapshot.symbol);
  return {
    heading,
    text: `${choose.pick([
      `${capital(count(lived.length))} ${lived.length === 1 ? 'symbol' : 'symbols'} closed at least one session of the week in High Risk: ${listUpTo(names, 5)}.`,
      `${listUpTo(names, 5)} ${isAre(names.length)} what High Risk was about this week.`,
    ])}\n\n${table(['Symbol', '>Sessions this week', '>In 90 days', '>Times it began', 'Now'], rows)}`,
  };
}
