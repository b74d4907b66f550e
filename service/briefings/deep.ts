// Service, briefings: the Wednesday briefing about one topic at length.
// Topics: a symbol, a dimension, the record, the regimes, the history of High Risk.
import { FACTOR_DIMENSIONS } from '../../shared/domain/factors.ts';
import { REGIMES } from '../../shared/domain/regimes.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { priceText } from '../signals/notes.ts';
import type { Choice } from './choice.ts';
import { COLUMNS, DIMENSION_COLUMNS } from './columns.ts';
import type { BriefingContext, SymbolSnapshot } from './context.ts';
import { type Draft, draftOf, type Section, type Writer } from './draft.ts';
import {
  type Column,
  capital,
  columnsOf,
  list,
  listUpTo,
  many,
  percent,
  power,
  regimeText,
  shortDay,
  table,
  times,
  wholePercent,
} from './format.ts';
import { breadth, levels } from './market-sections.ts';
import { byRisk, dimensionRanks, flipsOf, fundsOf, MIN_CLOSES, statesOf, symbolsOf } from './measures.ts';
import { profile } from './profile.ts';
import { factors, ninetyDays, record, regimeSentence } from './symbol-sections.ts';

const WEEK_MS = 7 * DAY_MS;

/** Returns null when the context has too little data for the topic. */
type Topic = (context: BriefingContext, choose: Choice) => Draft | null;

/** Dimensions with a smaller span over the funds measure the market as a whole. */
const MIN_SPAN = 0.1;
const spanOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

/** The funds in each dimension that differs among them, highest power first. */
const rankedFunds = (context: BriefingContext) => {
  const funds = fundsOf(context).map((snapshot) => ({ snapshot, ranks: dimensionRanks(snapshot) }));
  return FACTOR_DIMENSIONS.flatMap((dimension) => {
    const rows = funds.flatMap(({ snapshot, ranks }) => {
      const rank = ranks.find((one) => one.dimension.code === dimension.code);
      return rank === undefined ? [] : [{ snapshot, rank }];
    });
    const differs = rows.length >= 3 && spanOf(rows.map(({ rank }) => rank.power)) >= MIN_SPAN;
    return differs ? [{ dimension, rows: rows.sort((a, b) => b.rank.power - a.rank.power) }] : [];
  });
};

/** One of the twelve dimensions over all funds. */
const dimensionAcross: Topic = (context, choose) => {
  const found = rankedFunds(context);
  if (found.length === 0) return null;
  const { dimension, rows } = choose.pick(found);
  const { name, code } = dimension;
  const [first, last] = [rows[0], rows.at(-1)] as [(typeof rows)[number], (typeof rows)[number]];
  const [highest, lowest] = [first.snapshot.symbol, last.snapshot.symbol];
  const middle = power(rows[rows.length >> 1]?.rank.power ?? 0);
  const atEdge = (fits: (rank: number) => boolean): string[] =>
    symbolsOf(rows.filter(({ rank }) => fits(rank.rank)).map(({ snapshot }) => snapshot));
  const [high, low] = [atEdge((rank) => rank >= 0.9), atEdge((rank) => rank <= 0.1)];
  const orNobody = (symbols: readonly string[]): string => (symbols.length === 0 ? 'none' : listUpTo(symbols, 6));
  const edges =
    high.length + low.length === 0
      ? 'No fund is at an edge of its own 90 days.'
      : `In the top tenth of their own 90 days: ${orNobody(high)}. In the bottom tenth: ${orNobody(low)}.`;
  const summary = `${name} (${code}) measures ${dimension.description.toLowerCase()} (${dimension.domain.toLowerCase()}). Its power runs from 0 to 1; over ${rows.length} funds and indices the median is ${middle} at present, from ${power(last.rank.power)} on ${lowest} to ${power(first.rank.power)} on ${highest}.`;
  const ranks = DIMENSION_COLUMNS;
  return draftOf({
    title: choose.pick([
      `${name} across the market, median ${middle}`,
      `What ${name} says now: ${highest} highest, ${lowest} lowest`,
      `The dimension of the week: ${name}, led by ${highest}`,
    ]),
    summary,
    lead: [summary],
    sections: [
      {
        heading: choose.pick(['From top to bottom', 'Fund by fund', 'Across funds']),
        text: `${edges}\n\n${table(
          [
            ...columnsOf(snapshotOf<SymbolSnapshot>, COLUMNS.symbol),
            ...columnsOf(({ rank }: (typeof rows)[number]) => rank, ranks.power, ranks.rank, ranks.change, ranks.share),
            ...columnsOf(snapshotOf<SymbolSnapshot>, COLUMNS.state),
          ],
          rows.length > 10 ? [...rows.slice(0, 5), ...rows.slice(-5)] : rows,
        )}`,
      },
      dimensionInTime(context.lead, dimension),
      factors(context, choose, first.snapshot),
      breadth(context, choose, first.snapshot),
    ],
    symbols: [highest, lowest, context.lead.symbol],
  });
};

const snapshotOf = <Snapshot>({ snapshot }: { readonly snapshot: Snapshot }): Snapshot => snapshot;

function dimensionInTime(lead: SymbolSnapshot, { code, name }: (typeof FACTOR_DIMENSIONS)[number]): Section | null {
  const rows = [42, 21, 5, 1].flatMap((back) => {
    const reading = lead.days[lead.days.length - 1 - back]?.reading;
    const value = reading?.powers[code] ?? null;
    return reading === undefined || value === null
      ? []
      : [[shortDay(reading.date), power(value), priceText(reading.close)]];
  });
  if (rows.length < 2) return null;
  const cell = (index: number) => (row: readonly string[]) => row[index] ?? '';
  const columns = ['Close', '>Power', '>Price'].map((head, index): Column<readonly string[]> => [head, cell(index)]);
  return {
    heading: `${name} of ${lead.symbol} in time`,
    text: table(columns, [...rows, ['now', power(lead.reading.powers[code]), priceText(lead.price)]]),
  };
}

/** The precision of High Risk, fund by fund. */
const recordAcross: Topic = (context, choose) => {
  const { lead } = context;
  const funds = choose.shuffle(fundsOf(context).filter((snapshot) => snapshot !== lead)).slice(0, 7);
  const rows = [lead, ...funds].flatMap((snapshot) => {
    const held = context.record(snapshot.symbol);
    return held === null ? [] : [{ snapshot, held }];
  });
  if (rows.length < 3) return null;
  rows.sort((a, b) => b.held.precision - a.held.precision);
  const [best, worst] = [rows[0], rows.at(-1)] as [(typeof rows)[number], (typeof rows)[number]];
  const signals = rows.reduce((sum, { held }) => sum + held.signals, 0);
  const falls = rows.reduce((sum, { held }) => sum + held.events, 0);
  const [highest, lowest] = [best.snapshot.symbol, worst.snapshot.symbol];
  const summary = `What is a High Risk signal at the close worth? Over ${rows.length} funds and indices the hold-out windows count ${signals} signals and ${falls} falls. Precision runs from ${wholePercent(worst.held.precision)} on ${lowest} to ${wholePercent(best.held.precision)} on ${highest}.`;
  const columns: Column<(typeof rows)[number]>[] = [
    ...columnsOf(snapshotOf<SymbolSnapshot>, COLUMNS.symbol),
    ['>Signals', ({ held }) => String(held.signals)],
    ['>Precision', ({ held }) => wholePercent(held.precision)],
    ['>Falls', ({ held }) => String(held.events)],
    ['>Recall', ({ held }) => wholePercent(held.recall)],
    ...columnsOf(snapshotOf<SymbolSnapshot>, COLUMNS.eventRate, COLUMNS.now),
  ];
  return draftOf({
    title: choose.pick([
      `What ${signals} High Risk signals were worth`,
      `The record, fund by fund: ${highest} best`,
      `How often the signal was right, from ${lowest} to ${highest}`,
    ]),
    summary,
    lead: [summary],
    sections: [
      {
        heading: choose.pick(['Fund by fund', 'The figures', 'Hold-out windows']),
        text: `${table(columns, rows)}\n\nPrecision is the share of signals that the fall followed, recall the share of falls that were announced. The base rate is how often a fall follows any close; n/a while one lasts.`,
      },
      {
        heading: choose.pick(['How to read it', 'Before trusting it']),
        text: choose.pick([
          'A fall that is under way is part of the event that the signal warns of, so a part of these figures is mechanical. GET /api/validation/metrics has the figures that take this out: `nulls` and `strict`.',
          'With a dozen signals a symbol, one more or less moves precision by several points. The pooled figures of GET /api/validation/metrics, and the null models beside them, are the sounder measure.',
        ]),
      },
      levels(context, choose, lead),
      breadth(context, choose, lead),
    ],
    symbols: symbolsOf(rows.map(snapshotOf)),
  });
};

/** The regimes of the past 90 days. */
const regimeHistory: Topic = (context, choose) => {
  const { lead, regimeOnly } = context;
  const rows = [...fundsOf(context), ...regimeOnly]
    .filter(({ regime, days }) => regime !== null && days.length >= MIN_CLOSES)
    .sort((a, b) => flipsOf(b) - flipsOf(a));
  const [first] = rows;
  if (first === undefined || rows.length < 3) return null;
  const settled = symbolsOf(rows.filter((snapshot) => flipsOf(snapshot) === 0));
  const turned = times(flipsOf(first));
  const summary = `Regimes are the slow label beside the state. Over the past 90 days ${settled.length} of ${rows.length} funds, indices and regime symbols stayed in one; the most restless was ${first.symbol}, whose regime turned ${turned}. ${lead.symbol} is in ${regimeText(lead.regime)}.`;
  const closesIn = (name: string): Column<SymbolSnapshot> => [
    `>${regimeText(name)}`,
    ({ days }) => String(days.filter(({ reading }) => reading.regime === name).length),
  ];
  const turns: Column<SymbolSnapshot> = ['>Turns', (snapshot) => String(flipsOf(snapshot))];
  return draftOf({
    title: choose.pick([
      `Ninety days of regimes: ${lead.symbol} in ${regimeText(lead.regime)}, ${first.symbol} restless`,
      `How long regimes last: ${first.symbol} and ${rows.length - settled.length - 1} more turned`,
      `Regimes: ${first.symbol} turned ${turned}`,
    ]),
    summary,
    lead: [summary],
    sections: [
      {
        heading: choose.pick(['Closes in each regime', 'Where the time went']),
        text: table(
          [COLUMNS.symbol, ...REGIMES.map(closesIn), turns, ['Now', COLUMNS.regime[1]]],
          [lead, ...rows.filter((snapshot) => snapshot !== lead)].slice(0, 8),
        ),
      },
      probabilities(context),
      settled.length === 0
        ? null
        : { heading: 'Settled', text: `One regime for the whole 90 days: ${listUpTo(settled, 10)}.` },
      ninetyDays(context, choose, first),
    ],
    symbols: [lead.symbol, ...symbolsOf(rows.slice(0, 2))],
  });
};

/** What the data give each regime now, beside the one in force. */
function probabilities(context: BriefingContext): Section | null {
  const record = context.regime(context.lead);
  const shares = record?.candidate?.probabilities ?? record?.probabilities ?? null;
  if (record === null || shares === null) return null;
  const columns: Column<string>[] = [
    ['Regime', regimeText],
    ['>Probability', (name) => percent(shares[name] ?? 0)],
  ];
  const rows = table(
    columns,
    REGIMES.filter((name) => (shares[name] ?? 0) >= 0.0005),
  );
  return { heading: `What the data give ${record.symbol}`, text: `In force: ${regimeSentence(record)}.\n\n${rows}` };
}

/** The symbols by their time in High Risk during the past 90 days. */
const highRiskHistory: Topic = (context, choose) => {
  const rows = context.snapshots
    .filter(({ days }) => days.length >= MIN_CLOSES)
    .map((snapshot) => ({ snapshot, ...statesOf(snapshot) }))
    .sort((a, b) => b.sessions[2] - a.sessions[2] || b.entries - a.entries);
  const [first] = rows;
  if (first === undefined) return null;
  const { symbol, days } = first.snapshot;
  const never = symbolsOf(rows.filter(({ sessions }) => sessions[2] === 0).map(snapshotOf));
  const reached = rows.length - never.length;
  const now = symbolsOf(byRisk(context.snapshots.filter(({ state }) => state === 2)));
  const nowText = now.length === 0 ? 'None is in it now.' : `In it now: ${listUpTo(now, 5)}.`;
  const summary =
    reached === 0
      ? `No symbol closed a session of the past 90 days in High Risk. Nearest to it is ${byRisk(context.snapshots)[0]?.symbol}.`
      : `${capital(many(reached, 'symbol'))} of ${rows.length} closed at least one session of the past 90 days in High Risk, ${symbol} most: ${first.sessions[2]} of ${days.length}. ${nowText}`;
  const columns: Column<(typeof rows)[number]>[] = [
    ...columnsOf(snapshotOf<SymbolSnapshot>, COLUMNS.symbol),
    ['>Normal', ({ sessions }) => String(sessions[0])],
    ['>Elevated', ({ sessions }) => String(sessions[1])],
    ['>High Risk', ({ sessions }) => String(sessions[2])],
    ['>Times it began', ({ entries }) => String(entries)],
    ...columnsOf(snapshotOf<SymbolSnapshot>, COLUMNS.month, COLUMNS.now),
  ];
  return draftOf({
    title: choose.pick([
      `Where High Risk has lived: ${reached} of ${rows.length} symbols`,
      `Ninety days of High Risk: ${symbol} leads with ${first.sessions[2]}`,
      `A map of risk: ${many(now.length, 'symbol')} in it now, ${symbol} longest`,
    ]),
    summary,
    lead: [summary],
    sections: [
      { heading: choose.pick(['Sessions by state', 'The table']), text: table(columns, rows.slice(0, 10)) },
      never.length === 0
        ? null
        : {
            heading: choose.pick(['Never there', 'Untouched']),
            text: `${capital(many(never.length, 'symbol'))} had no such close: ${list(never.slice(0, 12))}${never.length > 12 ? ' and others' : ''}.`,
          },
      breadth(context, choose, first.snapshot),
      levels(context, choose, first.snapshot),
      record(context, choose, first.snapshot),
    ],
    symbols: [symbol, ...now.slice(0, 3), context.lead.symbol],
  });
};

const TOPICS: readonly Topic[] = [
  (context, choose) => profile(context, choose, null),
  dimensionAcross,
  recordAcross,
  regimeHistory,
  highRiskHistory,
];

/** The topics rotate by week; a topic without enough data is skipped. */
export const deep: Writer = (context, choose, date) => {
  const week = Math.floor(Date.parse(`${date}T00:00:00Z`) / WEEK_MS);
  for (let turn = 0; turn < TOPICS.length; turn++) {
    const draft = TOPICS[(week + turn) % TOPICS.length]?.(context, choose);
    if (draft !== null && draft !== undefined) return draft;
  }
  return profile(context, choose, context.lead.symbol);
};
