// Service, briefings: one subject at length, on Wednesdays: a symbol, a dimension, the record, the regimes, or where risk has lived.

import { FACTOR_DIMENSIONS } from '../../shared/domain/factors.ts';
import { REGIMES } from '../../shared/domain/regimes.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import type { Choice } from './choice.ts';
import { type BriefingContext, isFund, type SymbolSnapshot } from './context.ts';
import { type Draft, type Writer, writtenFrom } from './draft.ts';
import {
  capital,
  list,
  listUpTo,
  many,
  moved,
  percent,
  points,
  power,
  quote,
  regimeWord,
  shortDay,
  signed,
  stateWord,
  table,
} from './format.ts';
import { dimensionRanks, moveOver, rangeOf, size, statesOf, usualMove } from './measures.ts';
import {
  bodyOf,
  breadth,
  byRisk,
  distanceToBreach,
  factorTable,
  levels,
  ninetyDays,
  priceSentence,
  rankWord,
  record,
  type Section,
  signedPower,
  times,
} from './sections.ts';

const WEEK_MS = 7 * DAY_MS;

const dash = (share: number | null): string => (share === null ? 'n/a' : signed(share));

/** One symbol, whole. */
export function profile(context: BriefingContext, choose: Choice, symbol: string | null): Draft {
  const candidates = context.snapshots.filter((snapshot) => rangeOf(snapshot) !== null);
  const ranked = [...candidates].sort((a, b) => (size(b) ?? 0) + b.state - ((size(a) ?? 0) + a.state)).slice(0, 12);
  const snapshot =
    context.snapshots.find((one) => one.symbol === symbol) ??
    (ranked.length === 0 ? context.lead : choose.pick(ranked));
  const distance = distanceToBreach(snapshot);
  const { instrument, days } = snapshot;
  const lead = [
    `${instrument.name} (${snapshot.symbol}) is ${stateWord(snapshot.state)} with a confidence of ${points(snapshot.confidence)}, against a base rate of ${points(snapshot.baseRate)}. ${priceSentence(snapshot)}${distance === null ? '' : ` It is ${distance}.`}`,
    `Its usual session of the past 90 days moved ${percent(usualMove(snapshot) ?? 0, 2)}; over five sessions it ${moved(moveOver(snapshot, 5) ?? 0)}, over 21 it ${moved(moveOver(snapshot, 21) ?? 0)}. The regime is ${regimeWord(snapshot.regime)}.`,
  ];
  const about = (): SymbolSnapshot => snapshot;
  const partner = snapshot === context.lead ? null : comovement(snapshot, context.lead);
  const beside: Section | null =
    partner === null
      ? null
      : {
          heading: `Beside ${context.lead.symbol}`,
          text: `The daily returns of ${snapshot.symbol} and ${context.lead.symbol} had a correlation of ${partner.correlation.toFixed(2)} over ${partner.days} common sessions; a 1 % day of ${context.lead.symbol} went with ${signed(partner.slope / 100, 2)} of ${snapshot.symbol}.`,
        };
  return writtenFrom({
    title: choose.pick([
      `${snapshot.symbol} in profile, ${stateWord(snapshot.state)} at ${quote(snapshot.price)}`,
      `A long look at ${snapshot.symbol}, at ${quote(snapshot.price)}`,
      `Where the risk of ${instrument.name} comes from, ${shortDay(days.at(-1)?.reading.date ?? snapshot.reading.date)}`,
    ]),
    summary: lead[0] ?? '',
    body: bodyOf(lead.join('\n\n'), [
      ...choose.shuffle([ninetyDays(about)(context, choose), dimensions(snapshot, choose), beside]),
      entered(snapshot, days, choose),
      factorTable(about)(context, choose),
      record(about)(context, choose),
    ]),
    symbols: [snapshot.symbol, context.lead.symbol],
  });
}

function dimensions(snapshot: SymbolSnapshot, choose: Choice): Section | null {
  const rows = dimensionRanks(snapshot);
  if (rows.length === 0) return null;
  return {
    heading: choose.pick(['All twelve dimensions', 'The twelve dimensions', 'Dimension by dimension']),
    text: table(
      ['Dimension', 'Measures', '>Power', '90-day place', '>5 sessions'],
      rows.map(({ dimension, power: value, rank, change }) => [
        `${dimension.code} ${dimension.name}`,
        dimension.domain,
        power(value),
        rankWord(rank),
        change === null ? 'n/a' : signedPower(change),
      ]),
    ),
  };
}

function entered(snapshot: SymbolSnapshot, days: SymbolSnapshot['days'], choose: Choice): Section | null {
  const rows = days.flatMap(({ reading }, index) => {
    const before = days[index - 1]?.reading;
    return before === undefined || before.state === reading.state
      ? []
      : [
          [
            shortDay(reading.date),
            `${stateWord(before.state)} to ${stateWord(reading.state)}`,
            quote(reading.close),
            points(reading.confidence === null ? null : Math.round(10 * reading.confidence) / 10),
          ],
        ];
  });
  if (rows.length === 0)
    return {
      heading: 'Its states',
      text: `${snapshot.symbol} closed all ${days.length} sessions of the past 90 days in ${stateWord(days.at(-1)?.reading.state ?? snapshot.state)}.`,
    };
  const shown = rows.slice(-6);
  return {
    heading: choose.pick(['Its changes of state', 'How its state changed', 'From close to close']),
    text: `From close to close the state changed ${times(rows.length)} in the past 90 days${shown.length < rows.length ? '; the latest' : ''}:\n\n${table(['Close', 'Change', '>Price', '>Confidence'], shown)}`,
  };
}

/** Correlation and slope of the daily returns of two symbols, over the sessions that both had in the past 90 days. */
function comovement(
  one: SymbolSnapshot,
  other: SymbolSnapshot,
): { readonly correlation: number; readonly slope: number; readonly days: number } | null {
  const returns = ({ days }: SymbolSnapshot): Map<string, number> =>
    new Map(
      days
        .slice(1)
        .map(({ reading }, index) => [reading.date, reading.close / (days[index]?.reading.close ?? reading.close) - 1]),
    );
  const theirs = returns(other);
  const pairs = [...returns(one)].flatMap(([date, value]) => {
    const matched = theirs.get(date);
    return matched === undefined ? [] : [[value, matched] as const];
  });
  if (pairs.length < 15) return null;
  const mean = (index: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[index], 0) / pairs.length;
  const [x, y] = [mean(1), mean(0)];
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (const [value, matched] of pairs) {
    xx += (matched - x) ** 2;
    yy += (value - y) ** 2;
    xy += (matched - x) * (value - y);
  }
  return xx === 0 || yy === 0 ? null : { correlation: xy / Math.sqrt(xx * yy), slope: xy / xx, days: pairs.length };
}

const LEAST_SPREAD = 0.1;
const spreadOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

/** One of the twelve dimensions over all funds. */
function dimensionAcross(context: BriefingContext, choose: Choice): Draft | null {
  const found = FACTOR_DIMENSIONS.map((dimension) => ({
    dimension,
    rows: context.snapshots.filter(isFund).flatMap((snapshot) => {
      const dimensionRank = dimensionRanks(snapshot).find((one) => one.dimension.code === dimension.code);
      return dimensionRank === undefined ? [] : [{ snapshot, dimensionRank }];
    }),
  }))
    // Some measure the market as a whole: they are the same everywhere.
    .filter(
      ({ rows }) => rows.length >= 3 && spreadOf(rows.map(({ dimensionRank }) => dimensionRank.power)) >= LEAST_SPREAD,
    );
  if (found.length === 0) return null;
  const { dimension, rows } = choose.pick(found);
  rows.sort((a, b) => b.dimensionRank.power - a.dimensionRank.power);
  const values = rows.map(({ dimensionRank }) => dimensionRank.power);
  const middle = values[values.length >> 1] ?? 0;
  const high = rows.filter(({ dimensionRank }) => dimensionRank.rank >= 0.9).map(({ snapshot }) => snapshot.symbol);
  const low = rows.filter(({ dimensionRank }) => dimensionRank.rank <= 0.1).map(({ snapshot }) => snapshot.symbol);
  const [first, last] = [rows[0], rows.at(-1)];
  const summary = `${dimension.name} (${dimension.code}) measures ${dimension.description.toLowerCase()} (${dimension.domain.toLowerCase()}). Its power runs from 0 to 1; over ${rows.length} funds and indices the median is ${power(middle)} at present, from ${power(last?.dimensionRank.power ?? null)} on ${last?.snapshot.symbol} to ${power(first?.dimensionRank.power ?? null)} on ${first?.snapshot.symbol}.`;
  const { lead } = context;
  const series = lead.days.map(({ reading }) => reading.powers[dimension.code]);
  const history = [1, 5, 21, 42].flatMap((back) => {
    const index = lead.days.length - 1 - back;
    const value = series[index];
    return value === null || value === undefined
      ? []
      : [[shortDay(lead.days[index]?.reading.date ?? ''), power(value), quote(lead.days[index]?.reading.close ?? 0)]];
  });
  const now = lead.reading.powers[dimension.code];
  const shown = rows.length > 10 ? [...rows.slice(0, 5), ...rows.slice(-5)] : rows;
  return writtenFrom({
    title: choose.pick([
      `${dimension.name} across the market, median ${power(middle)}`,
      `What ${dimension.name} says now: ${first?.snapshot.symbol} highest, ${last?.snapshot.symbol} lowest`,
      `The dimension of the week: ${dimension.name}, led by ${first?.snapshot.symbol}`,
    ]),
    summary,
    body: bodyOf(summary, [
      {
        heading: choose.pick(['From top to bottom', 'Fund by fund', 'Across funds']),
        text: `${high.length + low.length === 0 ? 'No fund is at an edge of its own 90 days.' : `In the top tenth of their own 90 days: ${high.length === 0 ? 'none' : listUpTo(high, 6)}. In the bottom tenth: ${low.length === 0 ? 'none' : listUpTo(low, 6)}.`}\n\n${table(
          ['Symbol', '>Power', '90-day place', '>5 sessions', '>Share of risk', 'State'],
          shown.map(({ snapshot, dimensionRank }) => [
            snapshot.symbol,
            power(dimensionRank.power),
            rankWord(dimensionRank.rank),
            dimensionRank.change === null ? 'n/a' : signedPower(dimensionRank.change),
            dimensionRank.share === null ? 'n/a' : signed(dimensionRank.share, 0),
            stateWord(snapshot.state),
          ]),
        )}`,
      },
      history.length < 2
        ? null
        : {
            heading: `${dimension.name} of ${lead.symbol} in time`,
            text: `${table(['Close', '>Power', '>Price'], [...history.reverse(), ['now', power(now), quote(lead.price)]])}`,
          },
      factorTable((one) => first?.snapshot ?? one.lead)(context, choose),
      breadth(context, choose),
    ]),
    symbols: [
      ...(first === undefined ? [] : [first.snapshot.symbol]),
      ...(last === undefined ? [] : [last.snapshot.symbol]),
      lead.symbol,
    ],
  });
}

/** How often High Risk was right, fund by fund. */
function recordAcross(context: BriefingContext, choose: Choice): Draft | null {
  const funds = choose
    .shuffle(context.snapshots.filter((snapshot) => isFund(snapshot) && snapshot !== context.lead))
    .slice(0, 7);
  const rows = [context.lead, ...funds].flatMap((snapshot) => {
    const holdOutRecord = context.record(snapshot.symbol);
    return holdOutRecord === null ? [] : [{ snapshot, holdOutRecord }];
  });
  if (rows.length < 3) return null;
  rows.sort((a, b) => b.holdOutRecord.precision - a.holdOutRecord.precision);
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const [best, worst] = [rows[0], rows.at(-1)];
  const summary = `What is a High Risk signal worth? Over ${rows.length} funds and indices the hold-out windows count ${sum(({ holdOutRecord }) => holdOutRecord.signals)} signals and ${sum(({ holdOutRecord }) => holdOutRecord.events)} falls. Precision runs from ${Math.round(100 * (worst?.holdOutRecord.precision ?? 0))} % on ${worst?.snapshot.symbol} to ${Math.round(100 * (best?.holdOutRecord.precision ?? 0))} % on ${best?.snapshot.symbol}.`;
  return writtenFrom({
    title: choose.pick([
      `What ${sum(({ holdOutRecord }) => holdOutRecord.signals)} High Risk signals were worth`,
      `The record, fund by fund: ${best?.snapshot.symbol} best`,
      `How often the signal was right, from ${worst?.snapshot.symbol} to ${best?.snapshot.symbol}`,
    ]),
    summary,
    body: bodyOf(summary, [
      {
        heading: choose.pick(['Fund by fund', 'The figures', 'Hold-out windows']),
        text: `${table(
          ['Symbol', '>Signals', '>Precision', '>Falls', '>Recall', '>Base rate', 'Now'],
          rows.map(({ snapshot, holdOutRecord }) => [
            snapshot.symbol,
            String(holdOutRecord.signals),
            `${Math.round(100 * holdOutRecord.precision)} %`,
            String(holdOutRecord.events),
            `${Math.round(100 * holdOutRecord.recall)} %`,
            points(snapshot.baseRate),
            stateWord(snapshot.state),
          ]),
        )}\n\nPrecision is the share of signals that the fall followed, recall the share of falls that were announced. The base rate is how often a fall follows any close.`,
      },
      {
        heading: choose.pick(['How to read it', 'Before trusting it']),
        text: choose.pick([
          'A fall that is under way is part of the event that the signal warns of, so a part of these figures is mechanical. GET /api/validation/metrics has the figures that take this out: `nulls` and `strict`.',
          'With a dozen signals a symbol, one more or less moves precision by several points. The pooled figures of GET /api/validation/metrics, and the null models beside them, are the sounder measure.',
        ]),
      },
      levels(context, choose),
      breadth(context, choose),
    ]),
    symbols: rows.map(({ snapshot }) => snapshot.symbol),
  });
}

/** Which regimes the past 90 days had. */
function regimeTimes(context: BriefingContext, choose: Choice): Draft | null {
  const rows = [...context.snapshots.filter(isFund), ...context.regimeOnly].filter(
    ({ regime, days }) => regime !== null && days.length >= 15,
  );
  if (rows.length < 3) return null;
  const flips = ({ days }: SymbolSnapshot): number =>
    days.filter(({ reading }, index) => index > 0 && reading.regime !== days[index - 1]?.reading.regime).length;
  const restless = [...rows].sort((a, b) => flips(b) - flips(a));
  const settled = rows.filter((snapshot) => flips(snapshot) === 0).map(({ symbol }) => symbol);
  const { lead } = context;
  const shares = lead.reading.regimeProbabilities as Readonly<Record<string, number>> | null;
  const shown = [lead, ...restless.filter((snapshot) => snapshot !== lead)].slice(0, 8);
  const summary = `Regimes are the slow label beside the state. Over the past 90 days ${settled.length} of ${rows.length} funds, indices and regime symbols stayed in one; the most restless was ${restless[0]?.symbol}, whose regime turned ${times(restless[0] === undefined ? 0 : flips(restless[0]))}. ${lead.symbol} is in ${regimeWord(lead.regime)}.`;
  const closes = (snapshot: SymbolSnapshot, name: string): string =>
    String(snapshot.days.filter(({ reading }) => reading.regime === name).length);
  return writtenFrom({
    title: choose.pick([
      `Ninety days of regimes: ${lead.symbol} in ${regimeWord(lead.regime)}, ${restless[0]?.symbol} restless`,
      `How long regimes last: ${restless[0]?.symbol} and ${restless.length - settled.length - 1} more turned`,
      `Regimes: ${restless[0]?.symbol} turned ${times(restless[0] === undefined ? 0 : flips(restless[0]))}`,
    ]),
    summary,
    body: bodyOf(summary, [
      {
        heading: choose.pick(['Closes in each regime', 'Where the time went']),
        text: table(
          ['Symbol', ...REGIMES.map((name) => `>${regimeWord(name)}`), '>Turns', 'Now'],
          shown.map((snapshot) => [
            snapshot.symbol,
            ...REGIMES.map((name) => closes(snapshot, name)),
            String(flips(snapshot)),
            regimeWord(snapshot.regime),
          ]),
        ),
      },
      shares === null
        ? null
        : {
            heading: `How sure it is of ${lead.symbol}`,
            text: table(
              ['Regime', '>Probability'],
              REGIMES.filter((name) => (shares[name] ?? 0) >= 0.0005).map((name) => [
                regimeWord(name),
                percent(shares[name] ?? 0),
              ]),
            ),
          },
      settled.length === 0
        ? null
        : { heading: 'Settled', text: `One regime for the whole 90 days: ${listUpTo(settled, 10)}.` },
      ninetyDays(() => restless[0] ?? lead)(context, choose),
    ]),
    symbols: [lead.symbol, ...restless.slice(0, 2).map(({ symbol }) => symbol)],
  });
}

/** Where High Risk has lived in the past 90 days. */
function whereRiskLived(context: BriefingContext, choose: Choice): Draft | null {
  const rows = context.snapshots
    .map((snapshot) => ({ snapshot, ...statesOf(snapshot) }))
    .filter(({ snapshot }) => snapshot.days.length >= 15);
  rows.sort((a, b) => b.sessions[2] - a.sessions[2] || b.entries - a.entries);
  const lived = rows.filter(({ sessions }) => sessions[2] > 0);
  const [first] = rows;
  if (first === undefined) return null;
  const never = rows.filter(({ sessions }) => sessions[2] === 0).map(({ snapshot }) => snapshot.symbol);
  const now = byRisk(context.snapshots.filter(({ state }) => state === 2)).map(({ symbol }) => symbol);
  const summary =
    lived.length === 0
      ? `No symbol closed a session of the past 90 days in High Risk. Nearest to it is ${byRisk(context.snapshots)[0]?.symbol}.`
      : `${capital(many(lived.length, 'symbol'))} of ${rows.length} closed at least one session of the past 90 days in High Risk, ${first.snapshot.symbol} most: ${first.sessions[2]} of ${first.snapshot.days.length}. ${now.length === 0 ? 'None is in it now.' : `In it now: ${listUpTo(now, 5)}.`}`;
  return writtenFrom({
    title: choose.pick([
      `Where High Risk has lived: ${lived.length} of ${rows.length} symbols`,
      `Ninety days of High Risk: ${first.snapshot.symbol} leads with ${first.sessions[2]}`,
      `A map of risk: ${many(now.length, 'symbol')} in it now, ${first.snapshot.symbol} longest`,
    ]),
    summary,
    body: bodyOf(summary, [
      {
        heading: choose.pick(['Sessions by state', 'The table']),
        text: table(
          ['Symbol', '>Normal', '>Elevated', '>High Risk', '>Times it began', '>21 sessions', 'Now'],
          rows
            .slice(0, 10)
            .map(({ snapshot, sessions, entries }) => [
              snapshot.symbol,
              String(sessions[0]),
              String(sessions[1]),
              String(sessions[2]),
              String(entries),
              dash(moveOver(snapshot, 21)),
              stateWord(snapshot.state),
            ]),
        ),
      },
      never.length === 0
        ? null
        : {
            heading: choose.pick(['Never there', 'Untouched']),
            text: `${capital(many(never.length, 'symbol'))} had no such close: ${list(never.slice(0, 12))}${never.length > 12 ? ' and others' : ''}.`,
          },
      breadth(context, choose),
      levels(context, choose),
      record(() => first.snapshot)(context, choose),
    ]),
    symbols: [first.snapshot.symbol, ...now.slice(0, 3), context.lead.symbol],
  });
}

type Topic = (context: BriefingContext, choose: Choice) => Draft | null;
const TOPICS: readonly Topic[] = [
  (context, choose) => profile(context, choose, null),
  dimensionAcross,
  recordAcross,
  regimeTimes,
  whereRiskLived,
];

/** The topics take turns, so that none comes twice in a row; where one has nothing to say, the next does. */
export const deep: Writer = (context, choose, date) => {
  const week = Math.floor(Date.parse(`${date}T00:00:00Z`) / WEEK_MS);
  for (let turn = 0; turn < TOPICS.length; turn++) {
    const draft = TOPICS[(week + turn) % TOPICS.length]?.(context, choose);
    if (draft !== null && draft !== undefined) return draft;
  }
  return profile(context, choose, context.lead.symbol);
};
