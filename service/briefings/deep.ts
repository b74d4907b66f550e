// Service, briefings: one subject at length, on Wednesdays: a symbol, a dimension, the record, the regimes, or where risk has lived.
import { FACTOR_DIMENSIONS } from '../../shared/domain/factors.ts';
import { REGIMES } from '../../shared/domain/regimes.ts';
import type { Choice } from './choice.ts';
import { type Draft, type Writer, writtenFrom } from './draft.ts';
import { moveOver, rangeOf, size, statesOf, stretches, usualMove } from './measures.ts';
import { isFund, type Look, type Scene } from './scene.ts';
import {
  bodyOf,
  breadth,
  byRisk,
  factorTable,
  levels,
  ninetyDays,
  priceSentence,
  rankWord,
  record,
  type Section,
  signedPower,
  times,
  wayToBreach,
} from './sections.ts';
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
} from './words.ts';

const WEEK_MS = 7 * 86_400_000;

const dash = (share: number | null): string => (share === null ? 'n/a' : signed(share));

/** One symbol, whole. */
export function profile(scene: Scene, choose: Choice, symbol: string | null): Draft {
  const candidates = scene.looks.filter((look) => rangeOf(look) !== null);
  const ranked = [...candidates].sort((a, b) => (size(b) ?? 0) + b.state - ((size(a) ?? 0) + a.state)).slice(0, 12);
  const look =
    scene.looks.find((one) => one.symbol === symbol) ?? (ranked.length === 0 ? scene.lead : choose.pick(ranked));
  const way = wayToBreach(look);
  const { instrument, days } = look;
  const lead = [
    `${instrument.name} (${look.symbol}) is ${stateWord(look.state)} with a confidence of ${points(look.confidence)}, against a base rate of ${points(look.baseRate)}. ${priceSentence(look)}${way === null ? '' : ` It is ${way}.`}`,
    `Its usual session of the past 90 days moved ${percent(usualMove(look) ?? 0, 2)}; over five sessions it ${moved(moveOver(look, 5) ?? 0)}, over 21 it ${moved(moveOver(look, 21) ?? 0)}. The regime is ${regimeWord(look.regime)}.`,
  ];
  const about = (): Look => look;
  const partner = look === scene.lead ? null : together(look, scene.lead);
  const beside: Section | null =
    partner === null
      ? null
      : {
          heading: `Beside ${scene.lead.symbol}`,
          text: `The daily returns of ${look.symbol} and ${scene.lead.symbol} had a correlation of ${partner.correlation.toFixed(2)} over ${partner.days} common sessions; a 1 % day of ${scene.lead.symbol} went with ${signed(partner.slope / 100, 2)} of ${look.symbol}.`,
        };
  return writtenFrom({
    title: choose.pick([
      `${look.symbol} in profile, ${stateWord(look.state)} at ${quote(look.price)}`,
      `A long look at ${look.symbol}, at ${quote(look.price)}`,
      `Where the risk of ${instrument.name} comes from, ${shortDay(days.at(-1)?.reading.date ?? look.reading.date)}`,
    ]),
    summary: lead[0] ?? '',
    body: bodyOf(lead.join('\n\n'), [
      ...choose.shuffle([ninetyDays(about)(scene, choose), dimensions(look, choose), beside]),
      entered(look, days, choose),
      factorTable(about)(scene, choose),
      record(about)(scene, choose),
    ]),
    symbols: [look.symbol, scene.lead.symbol],
  });
}

function dimensions(look: Look, choose: Choice): Section | null {
  const rows = stretches(look);
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

function entered(look: Look, days: Look['days'], choose: Choice): Section | null {
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
      text: `${look.symbol} closed all ${days.length} sessions of the past 90 days in ${stateWord(days.at(-1)?.reading.state ?? look.state)}.`,
    };
  const shown = rows.slice(-6);
  return {
    heading: choose.pick(['Its changes of state', 'How its state changed', 'From close to close']),
    text: `From close to close the state changed ${times(rows.length)} in the past 90 days${shown.length < rows.length ? '; the latest' : ''}:\n\n${table(['Close', 'Change', '>Price', '>Confidence'], shown)}`,
  };
}

/** Correlation and slope of the daily returns of two symbols, over the sessions that both had in the past 90 days. */
function together(
  one: Look,
  other: Look,
): { readonly correlation: number; readonly slope: number; readonly days: number } | null {
  const returns = ({ days }: Look): Map<string, number> =>
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
function dimensionAcross(scene: Scene, choose: Choice): Draft | null {
  const found = FACTOR_DIMENSIONS.map((dimension) => ({
    dimension,
    rows: scene.looks.filter(isFund).flatMap((look) => {
      const stretch = stretches(look).find((one) => one.dimension.code === dimension.code);
      return stretch === undefined ? [] : [{ look, stretch }];
    }),
  }))
    // Some measure the market as a whole: they are the same everywhere.
    .filter(({ rows }) => rows.length >= 3 && spreadOf(rows.map(({ stretch }) => stretch.power)) >= LEAST_SPREAD);
  if (found.length === 0) return null;
  const { dimension, rows } = choose.pick(found);
  rows.sort((a, b) => b.stretch.power - a.stretch.power);
  const values = rows.map(({ stretch }) => stretch.power);
  const middle = values[values.length >> 1] ?? 0;
  const high = rows.filter(({ stretch }) => stretch.rank >= 0.9).map(({ look }) => look.symbol);
  const low = rows.filter(({ stretch }) => stretch.rank <= 0.1).map(({ look }) => look.symbol);
  const [first, last] = [rows[0], rows.at(-1)];
  const summary = `${dimension.name} (${dimension.code}) measures ${dimension.description.toLowerCase()} (${dimension.domain.toLowerCase()}). Its power runs from 0 to 1; over ${rows.length} funds and indices the median is ${power(middle)} at present, from ${power(last?.stretch.power ?? null)} on ${last?.look.symbol} to ${power(first?.stretch.power ?? null)} on ${first?.look.symbol}.`;
  const { lead } = scene;
  const series = lead.days.map(({ reading }) => reading.powers[dimension.code]);
  const course = [1, 5, 21, 42].flatMap((back) => {
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
      `What ${dimension.name} says now: ${first?.look.symbol} highest, ${last?.look.symbol} lowest`,
      `The dimension of the week: ${dimension.name}, led by ${first?.look.symbol}`,
    ]),
    summary,
    body: bodyOf(summary, [
      {
        heading: choose.pick(['From top to bottom', 'Fund by fund', 'Across funds']),
        text: `${high.length + low.length === 0 ? 'No fund is at an edge of its own 90 days.' : `In the top tenth of their own 90 days: ${high.length === 0 ? 'none' : listUpTo(high, 6)}. In the bottom tenth: ${low.length === 0 ? 'none' : listUpTo(low, 6)}.`}\n\n${table(
          ['Symbol', '>Power', '90-day place', '>5 sessions', '>Share of risk', 'State'],
          shown.map(({ look, stretch }) => [
            look.symbol,
            power(stretch.power),
            rankWord(stretch.rank),
            stretch.change === null ? 'n/a' : signedPower(stretch.change),
            stretch.share === null ? 'n/a' : signed(stretch.share, 0),
            stateWord(look.state),
          ]),
        )}`,
      },
      course.length < 2
        ? null
        : {
            heading: `${dimension.name} of ${lead.symbol} in time`,
            text: `${table(['Close', '>Power', '>Price'], [...course.reverse(), ['now', power(now), quote(lead.price)]])}`,
          },
      factorTable((one) => first?.look ?? one.lead)(scene, choose),
      breadth(scene, choose),
    ]),
    symbols: [
      ...(first === undefined ? [] : [first.look.symbol]),
      ...(last === undefined ? [] : [last.look.symbol]),
      lead.symbol,
    ],
  });
}

/** How often High Risk was right, fund by fund. */
function recordAcross(scene: Scene, choose: Choice): Draft | null {
  const funds = choose.shuffle(scene.looks.filter((look) => isFund(look) && look !== scene.lead)).slice(0, 7);
  const rows = [scene.lead, ...funds].flatMap((look) => {
    const kept = scene.record(look.symbol);
    return kept === null ? [] : [{ look, kept }];
  });
  if (rows.length < 3) return null;
  rows.sort((a, b) => b.kept.precision - a.kept.precision);
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const [best, worst] = [rows[0], rows.at(-1)];
  const summary = `What is a High Risk signal worth? Over ${rows.length} funds and indices the hold-out windows count ${sum(({ kept }) => kept.signals)} signals and ${sum(({ kept }) => kept.events)} falls. Precision runs from ${Math.round(100 * (worst?.kept.precision ?? 0))} % on ${worst?.look.symbol} to ${Math.round(100 * (best?.kept.precision ?? 0))} % on ${best?.look.symbol}.`;
  return writtenFrom({
    title: choose.pick([
      `What ${sum(({ kept }) => kept.signals)} High Risk signals were worth`,
      `The record, fund by fund: ${best?.look.symbol} best`,
      `How often the signal was right, from ${worst?.look.symbol} to ${best?.look.symbol}`,
    ]),
    summary,
    body: bodyOf(summary, [
      {
        heading: choose.pick(['Fund by fund', 'The figures', 'Hold-out windows']),
        text: `${table(
          ['Symbol', '>Signals', '>Precision', '>Falls', '>Recall', '>Base rate', 'Now'],
          rows.map(({ look, kept }) => [
            look.symbol,
            String(kept.signals),
            `${Math.round(100 * kept.precision)} %`,
            String(kept.events),
            `${Math.round(100 * kept.recall)} %`,
            points(look.baseRate),
            stateWord(look.state),
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
      levels(scene, choose),
      breadth(scene, choose),
    ]),
    symbols: rows.map(({ look }) => look.symbol),
  });
}

/** Which regimes the past 90 days had. */
function regimeTimes(scene: Scene, choose: Choice): Draft | null {
  const rows = [...scene.looks.filter(isFund), ...scene.regimeOnly].filter(
    ({ regime, days }) => regime !== null && days.length >= 15,
  );
  if (rows.length < 3) return null;
  const flips = ({ days }: Look): number =>
    days.filter(({ reading }, index) => index > 0 && reading.regime !== days[index - 1]?.reading.regime).length;
  const restless = [...rows].sort((a, b) => flips(b) - flips(a));
  const settled = rows.filter((look) => flips(look) === 0).map(({ symbol }) => symbol);
  const { lead } = scene;
  const shares = lead.reading.regimeProbabilities as Readonly<Record<string, number>> | null;
  const shown = [lead, ...restless.filter((look) => look !== lead)].slice(0, 8);
  const summary = `Regimes are the slow label beside the state. Over the past 90 days ${settled.length} of ${rows.length} funds, indices and regime symbols stayed in one; the most restless was ${restless[0]?.symbol}, whose regime turned ${times(restless[0] === undefined ? 0 : flips(restless[0]))}. ${lead.symbol} is in ${regimeWord(lead.regime)}.`;
  const closes = (look: Look, name: string): string =>
    String(look.days.filter(({ reading }) => reading.regime === name).length);
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
          shown.map((look) => [
            look.symbol,
            ...REGIMES.map((name) => closes(look, name)),
            String(flips(look)),
            regimeWord(look.regime),
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
      ninetyDays(() => restless[0] ?? lead)(scene, choose),
    ]),
    symbols: [lead.symbol, ...restless.slice(0, 2).map(({ symbol }) => symbol)],
  });
}

/** Where High Risk has lived in the past 90 days. */
function whereRiskLived(scene: Scene, choose: Choice): Draft | null {
  const rows = scene.looks.map((look) => ({ look, ...statesOf(look) })).filter(({ look }) => look.days.length >= 15);
  rows.sort((a, b) => b.sessions[2] - a.sessions[2] || b.entries - a.entries);
  const lived = rows.filter(({ sessions }) => sessions[2] > 0);
  const [first] = rows;
  if (first === undefined) return null;
  const never = rows.filter(({ sessions }) => sessions[2] === 0).map(({ look }) => look.symbol);
  const now = byRisk(scene.looks.filter(({ state }) => state === 2)).map(({ symbol }) => symbol);
  const summary =
    lived.length === 0
      ? `No symbol closed a session of the past 90 days in High Risk. Nearest to it is ${byRisk(scene.looks)[0]?.symbol}.`
      : `${capital(many(lived.length, 'symbol'))} of ${rows.length} closed at least one session of the past 90 days in High Risk, ${first.look.symbol} most: ${first.sessions[2]} of ${first.look.days.length}. ${now.length === 0 ? 'None is in it now.' : `In it now: ${listUpTo(now, 5)}.`}`;
  return writtenFrom({
    title: choose.pick([
      `Where High Risk has lived: ${lived.length} of ${rows.length} symbols`,
      `Ninety days of High Risk: ${first.look.symbol} leads with ${first.sessions[2]}`,
      `A map of risk: ${many(now.length, 'symbol')} in it now, ${first.look.symbol} longest`,
    ]),
    summary,
    body: bodyOf(summary, [
      {
        heading: choose.pick(['Sessions by state', 'The table']),
        text: table(
          ['Symbol', '>Normal', '>Elevated', '>High Risk', '>Times it began', '>21 sessions', 'Now'],
          rows
            .slice(0, 10)
            .map(({ look, sessions, entries }) => [
              look.symbol,
              String(sessions[0]),
              String(sessions[1]),
              String(sessions[2]),
              String(entries),
              dash(moveOver(look, 21)),
              stateWord(look.state),
            ]),
        ),
      },
      never.length === 0
        ? null
        : {
            heading: choose.pick(['Never there', 'Untouched']),
            text: `${capital(many(never.length, 'symbol'))} had no such close: ${list(never.slice(0, 12))}${never.length > 12 ? ' and others' : ''}.`,
          },
      breadth(scene, choose),
      levels(scene, choose),
      record(() => first.look)(scene, choose),
    ]),
    symbols: [first.look.symbol, ...now.slice(0, 3), scene.lead.symbol],
  });
}

type Topic = (scene: Scene, choose: Choice) => Draft | null;
const TOPICS: readonly Topic[] = [
  (scene, choose) => profile(scene, choose, null),
  dimensionAcross,
  recordAcross,
  regimeTimes,
  whereRiskLived,
];

/** The topics take turns, so that none comes twice in a row; where one has nothing to say, the next does. */
export const deep: Writer = (scene, choose, date) => {
  const week = Math.floor(Date.parse(`${date}T00:00:00Z`) / WEEK_MS);
  for (let turn = 0; turn < TOPICS.length; turn++) {
    const draft = TOPICS[(week + turn) % TOPICS.length]?.(scene, choose);
    if (draft !== null && draft !== undefined) return draft;
  }
  return profile(scene, choose, scene.lead.symbol);
};
