// Service, briefings: the Wednesday briefing about one topic at length, and profiles on request.
// Topics: a symbol, a dimension, the record, the regimes, the history of High Risk.
import { FACTOR_DIMENSIONS } from '../../shared/domain/factors.ts';
import { REGIMES } from '../../shared/domain/regimes.ts';
import { stateLabel } from '../../shared/domain/states.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { priceText } from '../signals/notes.ts';
import { COLUMNS, DIMENSION_COLUMNS } from './columns.ts';
import type { BriefingContext, SymbolSnapshot } from './context.ts';
import { type Draft, draftOf, type Section, sectionOf, type Writer } from './draft.ts';
import {
  type Column,
  columnsOf,
  listUpTo,
  moved,
  percent,
  points,
  power,
  regimeText,
  shortDay,
  tally,
  wholePercent,
} from './format.ts';
import { breadth, levels } from './market-sections.ts';
import { byRisk, dimensionRanks, flipsOf, fundsOf, MIN_CLOSES, size, statesOf, symbolsOf } from './measures.ts';
import {
  besideLead,
  dimensions,
  distanceToBreach,
  factors,
  moves,
  ninetyDays,
  record,
  recordTable,
  regimeSentence,
  stateChanges,
} from './symbol-sections.ts';

const WEEK_MS = 7 * DAY_MS;
const MOST_ROWS = 10;

/** Returns null when the context has too little data for the topic. @param week number of the week */
type Topic = (context: BriefingContext, week: number) => Draft | null;

const snapshotOf = <Snapshot>({ snapshot }: { readonly snapshot: Snapshot }): Snapshot => snapshot;

/** A profile of one symbol. */
export function profile(context: BriefingContext, subject: SymbolSnapshot): Draft {
  const { symbol, instrument, state, price, change, confidence, baseRate } = subject;
  const distance = distanceToBreach(subject);
  const summary = `${instrument.name} (${symbol}) is ${stateLabel(state)}${distance === null ? '' : `, ${distance}`}. Confidence ${points(confidence)}, base rate ${points(baseRate)}. It ${change === null ? 'is at' : `${moved(change)} to`} ${priceText(price)}.`;
  const blocks = [moves, ninetyDays, dimensions, besideLead, stateChanges, record];
  return draftOf({
    title: `${symbol} in profile, ${stateLabel(state)} at ${priceText(price)}`,
    summary,
    lead: [summary, `Regime: ${regimeSentence(context.regime(subject))}.`],
    sections: blocks.map((block) => block(context, subject)),
    symbols: [symbol, context.lead.symbol],
  });
}

/** The symbol with the highest state and the most unusual move. */
const riskiestProfile: Topic = (context) => {
  const weight = (snapshot: SymbolSnapshot): number => (size(snapshot) ?? 0) + snapshot.state;
  const [subject = context.lead] = context.snapshots.toSorted((a, b) => weight(b) - weight(a));
  return profile(context, subject);
};

/** Dimensions with a smaller span over the funds measure the market as a whole. */
const MIN_SPAN = 0.1;

/** The funds in each dimension that differs among them, highest power first. */
function rankedFunds(context: BriefingContext) {
  const funds = fundsOf(context).map((snapshot) => ({ snapshot, ranks: dimensionRanks(snapshot) }));
  return FACTOR_DIMENSIONS.flatMap((dimension) => {
    const rows = funds
      .flatMap(({ snapshot, ranks }) => {
        const rank = ranks.find((one) => one.dimension.code === dimension.code);
        return rank === undefined ? [] : [{ snapshot, rank }];
      })
      .sort((a, b) => b.rank.power - a.rank.power);
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined || rows.length < 3) return [];
    return first.rank.power - last.rank.power >= MIN_SPAN ? [{ dimension, rows, first, last }] : [];
  });
}

/** One of the twelve dimensions over all funds. */
const dimensionAcross: Topic = (context, week) => {
  const ranked = rankedFunds(context);
  const found = ranked[week % ranked.length];
  if (found === undefined) return null;
  const { dimension, rows, first, last } = found;
  const { name, code } = dimension;
  const summary = `${name} (${code}) measures ${dimension.description.toLowerCase()} (${dimension.domain.toLowerCase()}), from 0 to 1. Over ${rows.length} funds and indices its median is ${power(rows[rows.length >> 1]?.rank.power ?? 0)}, from ${power(last.rank.power)} on ${last.snapshot.symbol} to ${power(first.rank.power)} on ${first.snapshot.symbol}.`;
  const columns = DIMENSION_COLUMNS;
  return draftOf({
    title: `${name} across the market, highest on ${first.snapshot.symbol}`,
    summary,
    lead: [summary],
    sections: [
      sectionOf(
        'Fund by fund',
        [
          ...columnsOf(snapshotOf<SymbolSnapshot>, COLUMNS.symbol),
          ...columnsOf(
            ({ rank }: (typeof rows)[number]) => rank,
            columns.power,
            columns.rank,
            columns.change,
            columns.share,
          ),
          ...columnsOf(snapshotOf<SymbolSnapshot>, COLUMNS.state),
        ],
        rows.length > MOST_ROWS ? [...rows.slice(0, 5), ...rows.slice(-5)] : rows,
      ),
      dimensionInTime(context.lead, dimension),
      factors(context, first.snapshot),
      breadth(context, first.snapshot),
    ],
    symbols: [first.snapshot.symbol, last.snapshot.symbol, context.lead.symbol],
  });
};

function dimensionInTime(lead: SymbolSnapshot, { code, name }: (typeof FACTOR_DIMENSIONS)[number]): Section | null {
  const closes = [42, 21, 5, 1].flatMap((back) => lead.days.at(-1 - back)?.reading ?? []);
  return sectionOf(
    `${name} of ${lead.symbol} in time`,
    [
      ['Close', (reading) => (reading === lead.reading ? 'now' : shortDay(reading.date))],
      ['>Power', ({ powers }) => power(powers[code])],
      ['>Price', ({ close }) => priceText(close)],
    ],
    [...closes, lead.reading],
  );
}

/** The precision of High Risk, fund by fund. */
const recordAcross: Topic = (context) => {
  const { lead } = context;
  const funds = byRisk(fundsOf(context).filter((snapshot) => snapshot !== lead));
  const rows = [lead, ...funds]
    .flatMap((snapshot) => {
      const held = context.record(snapshot.symbol);
      return held === null ? [] : [{ snapshot, held }];
    })
    .slice(0, MOST_ROWS)
    .sort((a, b) => b.held.precision - a.held.precision);
  const [best, worst] = [rows[0], rows.at(-1)];
  if (best === undefined || worst === undefined || rows.length < 3) return null;
  const signals = rows.reduce((sum, { held }) => sum + held.signals, 0);
  const falls = rows.reduce((sum, { held }) => sum + held.events, 0);
  const summary = `Over ${rows.length} funds and indices the hold-out windows count ${signals} High Risk signals at the close and ${falls} falls. Precision runs from ${wholePercent(worst.held.precision)} on ${worst.snapshot.symbol} to ${wholePercent(best.held.precision)} on ${best.snapshot.symbol}.`;
  return draftOf({
    title: `What ${signals} High Risk signals were worth, fund by fund`,
    summary,
    lead: [
      summary,
      'With a dozen signals a symbol, one more or less moves precision by several points. GET /api/validation/metrics has pooled figures, and those without the fall already under way: `nulls` and `strict`.',
    ],
    sections: [recordTable(rows), levels(context, lead), breadth(context, lead)],
    symbols: symbolsOf(rows.map(snapshotOf)),
  });
};

/** The regimes of the past 90 days. */
const regimeHistory: Topic = (context) => {
  const { lead, regimeOnly } = context;
  const rows = [...fundsOf(context), ...regimeOnly]
    .filter(({ regime, days }) => regime !== null && days.length >= MIN_CLOSES)
    .sort((a, b) => flipsOf(b) - flipsOf(a));
  const [first] = rows;
  if (first === undefined || rows.length < 3) return null;
  const settled = rows.filter((snapshot) => flipsOf(snapshot) === 0).length;
  const summary = `Over the past 90 days ${settled} of ${rows.length} funds, indices and regime symbols stayed in one regime. Most turns: ${first.symbol}, ${flipsOf(first)}. ${lead.symbol} is in ${regimeText(lead.regime)}.`;
  const closesIn = (name: string): Column<SymbolSnapshot> => [
    `>${regimeText(name)}`,
    ({ days }) => String(days.filter(({ reading }) => reading.regime === name).length),
  ];
  return draftOf({
    title: `Ninety days of regimes, ${lead.symbol} in ${regimeText(lead.regime)}`,
    summary,
    lead: [summary],
    sections: [
      sectionOf(
        'Closes in each regime',
        [
          COLUMNS.symbol,
          ...REGIMES.map(closesIn),
          ['>Turns', (snapshot) => String(flipsOf(snapshot))],
          ['Now', COLUMNS.regime[1]],
        ],
        [lead, ...rows.filter((snapshot) => snapshot !== lead)].slice(0, MOST_ROWS),
      ),
      probabilities(context),
      ninetyDays(context, first),
    ],
    symbols: [lead.symbol, ...symbolsOf(rows.slice(0, 2))],
  });
};

/** What the data give each regime now, beside the one in force. */
function probabilities(context: BriefingContext): Section | null {
  const record = context.regime(context.lead);
  const shares = record?.candidate?.probabilities ?? record?.probabilities ?? null;
  if (record === null || shares === null) return null;
  return sectionOf(
    `What the data give ${record.symbol}`,
    [
      ['Regime', regimeText],
      ['>Probability', (name) => percent(shares[name] ?? 0)],
    ],
    REGIMES.filter((name) => (shares[name] ?? 0) >= 0.0005),
    `In force: ${regimeSentence(record)}.`,
  );
}

/** The symbols by their time in High Risk during the past 90 days. */
const highRiskHistory: Topic = (context) => {
  const rows = context.snapshots
    .filter(({ days }) => days.length >= MIN_CLOSES)
    .map((snapshot) => ({ snapshot, ...statesOf(snapshot) }))
    .sort((a, b) => b.sessions[2] - a.sessions[2] || b.entries - a.entries);
  const [first] = rows;
  if (first === undefined) return null;
  const reached = rows.filter(({ sessions }) => sessions[2] > 0).length;
  const now = symbolsOf(byRisk(context.snapshots.filter(({ state }) => state === 2)));
  const { symbol } = first.snapshot;
  const summary = `${reached} of ${rows.length} symbols closed at least one session of the past 90 days in High Risk${reached === 0 ? '' : `, ${symbol} most: ${first.sessions[2]}`}. In it now: ${now.length === 0 ? 'none' : listUpTo(now, 5)}.`;
  const columns: Column<(typeof rows)[number]>[] = [
    ...columnsOf(snapshotOf<SymbolSnapshot>, COLUMNS.symbol),
    ['>Normal', ({ sessions }) => String(sessions[0])],
    ['>Elevated', ({ sessions }) => String(sessions[1])],
    ['>High Risk', ({ sessions }) => String(sessions[2])],
    ['>Times it began', ({ entries }) => String(entries)],
    ...columnsOf(snapshotOf<SymbolSnapshot>, COLUMNS.month, COLUMNS.now),
  ];
  return draftOf({
    title: `Ninety days of High Risk, ${tally(now.length, 'symbol')} in it now`,
    summary,
    lead: [summary],
    sections: [
      sectionOf('Closes by state', columns, rows.slice(0, MOST_ROWS)),
      ...[breadth, levels, record].map((block) => block(context, first.snapshot)),
    ],
    symbols: [symbol, ...now.slice(0, 3), context.lead.symbol],
  });
};

const TOPICS: readonly Topic[] = [riskiestProfile, dimensionAcross, recordAcross, regimeHistory, highRiskHistory];

/** The topics rotate by week; a topic without enough data is skipped. */
export const deep: Writer = (context, date) => {
  const week = Math.floor(Date.parse(`${date}T00:00:00Z`) / WEEK_MS);
  for (let turn = 0; turn < TOPICS.length; turn++) {
    const draft = TOPICS[(week + turn) % TOPICS.length]?.(context, Math.floor(week / TOPICS.length));
    if (draft !== null && draft !== undefined) return draft;
  }
  return profile(context, context.lead);
};
