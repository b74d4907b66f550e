// Service, briefings: the sections about one symbol that several types of briefing share.
// A section without content is null.
import type { RegimeRecord } from '../../shared/wire/regime.ts';
import { priceText } from '../signals/notes.ts';
import type { Choice } from './choice.ts';
import { DIMENSION_COLUMNS } from './columns.ts';
import type { SymbolSnapshot } from './context.ts';
import type { Block } from './draft.ts';
import { isAre, list, many, points, regimeText, shortDay, table, tally, times, wholePercent } from './format.ts';
import { type DimensionRank, dimensionRanks, eventRate, rangeOf, riskShares, statesOf } from './measures.ts';

const extremeness = ({ rank }: DimensionRank): number => Math.abs(rank - 0.5);
/** Dimensions, sorted by distance from the median of their past, largest first. */
export const unusual = (snapshot: SymbolSnapshot): DimensionRank[] =>
  dimensionRanks(snapshot).sort((a, b) => extremeness(b) - extremeness(a));

/** The dimensions of the subject's risk score. */
export const factors: Block = (_context, choose, subject) => {
  const { symbol } = subject;
  const shares = riskShares(subject).slice(0, choose.pick([4, 5]));
  const rows = shares.length > 0 ? shares : unusual(subject).slice(0, 5);
  if (rows.length === 0) return null;
  const remark = dimensionRemark(subject, choose);
  const opening =
    shares.length > 0
      ? choose.pick([
          `What the risk score of ${symbol} is made of at present, largest part first. A minus lowers the risk.`,
          `The dimensions that weigh most in ${symbol}'s risk score; a share with a minus lowers the risk.`,
          `The risk score of ${symbol} by dimension, in order of weight:`,
        ])
      : `The dimensions of ${symbol} that are furthest from their own past 90 days:`;
  const { name, power: value, rank, change, share } = DIMENSION_COLUMNS;
  return {
    heading: choose.pick([`What drives ${symbol}`, `Factors behind ${symbol}`, `${symbol} in its dimensions`]),
    text: `${opening}\n\n${table([name, value, rank, change, share], rows)}${remark === '' ? '' : `\n\n${remark}`}`,
  };
};

function dimensionRemark(snapshot: SymbolSnapshot, choose: Choice): string {
  const extreme = unusual(snapshot).filter(({ rank }) => rank >= 0.97 || rank <= 0.03);
  if (extreme.length === 0)
    return choose.pick([
      'None of the twelve is at an extreme of its past 90 days.',
      'No dimension is at a 90-day extreme.',
      '',
    ]);
  const [highs, lows] = [extreme.filter(({ rank }) => rank > 0.5), extreme.filter(({ rank }) => rank < 0.5)].map((of) =>
    of.map(({ dimension }) => dimension.name),
  ) as [string[], string[]];
  const clauses = [
    ...(highs.length > 0 ? [`${list(highs)} ${isAre(highs.length)} at or near the top`] : []),
    ...(lows.length > 0 ? [`${list(lows)} ${isAre(lows.length)} at or near the bottom`] : []),
  ];
  return `Of all twelve, ${clauses.join(', ')} of the past 90 days.`;
}

/** Note for markets with intraday prices: their alerts occur within the day, so this record is not theirs. */
const OF_CLOSES = ' Alerts within the day have a record of their own.';

/** The precision of High Risk at closes on the subject in the hold-out window. */
export const record: Block = (context, choose, subject) => {
  const { symbol, forming } = subject;
  const held = context.record(symbol);
  if (held === null) return null;
  const { bars, signals, events, precision } = held;
  const often = eventRate(subject);
  const rate = often === null ? '' : ` Any close is followed by such a fall ${points(often)} of the time.`;
  const base = `${rate}${forming ? OF_CLOSES : ''}`;
  const heading = choose.pick([
    'How often it was right',
    'The record',
    'Hold-out record',
    'The record of such signals',
  ]);
  const window = `In the hold-out window of ${bars} closes High Risk at the close was`;
  if (signals === 0) return { heading, text: `${window} never signalled on ${symbol}, so there is no record.${base}` };
  if (events === 0)
    return {
      heading,
      text: `${window} signalled ${times(signals)} on ${symbol} and no fall came: every signal that could be judged passed without one.${base}`,
    };
  const [right, caught, falls] = [wholePercent(precision), wholePercent(held.recall), tally(events, 'fall')];
  const text = choose.pick([
    `On ${symbol} the hold-out window counts ${tally(signals, 'High Risk signal')} at the close and ${falls} over ${bars} closes. Precision is ${right}, recall ${caught}.${base}`,
    `Over the ${bars} closes held out, High Risk on ${symbol} at the close was right in ${right} of its signals and announced ${caught} of the falls (${tally(signals, 'signal')}, ${falls}).${base}`,
    `The hold-out record of ${symbol} at the close: ${tally(signals, 'signal')}, precision ${right}, recall ${caught}, against ${falls} that came.${base}`,
  ]);
  const warning = choose.pick([
    'A fall already under way is part of that, so the figures are too high.',
    'With so few cases the figures are uncertain.',
    'The other signals passed without the fall.',
  ]);
  const most = precision < 0.5 && choose.chance(0.6);
  return { heading, text: `${text} ${most ? 'Most signals pass without the fall.' : warning}` };
};

/** The subject compared with its past 90 days, in a paragraph. */
export const ninetyDays: Block = (_context, choose, subject) => {
  const range = rangeOf(subject);
  if (range === null) return null;
  const { symbol, days, price, instrument } = subject;
  const { high, low } = range;
  const { sessions, entries } = statesOf(subject);
  const position = wholePercent(range.position);
  const where = choose.pick([
    `${symbol} at ${priceText(price)} is ${position} of the way up its 90-day range, from a lowest close of ${priceText(low.price)} on ${shortDay(low.date)} to a highest of ${priceText(high.price)} on ${shortDay(high.date)}.`,
    `The past 90 days of ${symbol} ran between ${priceText(low.price)} (${shortDay(low.date)}) and ${priceText(high.price)} (${shortDay(high.date)}) at the close; ${priceText(price)} is ${position} of the way up.`,
  ]);
  const normal = [`All ${days.length} closes were in Normal.`, `It closed in Normal all along, ${days.length} times.`];
  const mixed = [
    `Of ${days.length} closes ${sessions[0]} were in Normal, ${sessions[1]} in Elevated and ${sessions[2]} in High Risk.`,
    `High Risk took up ${sessions[2]} of ${days.length} closes${entries === 0 ? '' : ` and began ${times(entries)}`}, Elevated ${sessions[1]}.`,
  ];
  const spent = instrument.regimeOnly ? '' : choose.pick(sessions[1] + sessions[2] === 0 ? normal : mixed);
  return {
    heading: choose.pick([`${symbol} over 90 days`, 'Set against 90 days', 'The longer look']),
    text: `${where} ${spent}`.trim(),
  };
};

/** "39 % of the way to a breach at 438.54", "past its breach level of 438.54"; null without a level. */
export function distanceToBreach({ reading }: SymbolSnapshot): string | null {
  const { drawdownFraction, breachLevel } = reading;
  if (drawdownFraction === null || breachLevel === null) return null;
  const share = Math.round(100 * drawdownFraction);
  if (share === 0) return `at its 21-day high, with a breach level of ${priceText(breachLevel)}`;
  return share >= 100
    ? `past its breach level of ${priceText(breachLevel)}`
    : `${share} % of the way to a breach at ${priceText(breachLevel)}`;
}

/** "Calm Uptrend", with the candidate regime and its missing closes if there is one. */
export function regimeSentence(record: RegimeRecord | null): string {
  if (record === null) return regimeText(null);
  const { candidate } = record;
  if (candidate === null || candidate === undefined) return record.label;
  const closes = many(candidate.closes_needed, 'close');
  const needs =
    candidate.waits_for === 'normal_state'
      ? 'Stress lasts until the state is Normal'
      : candidate.waits_for === 'closes'
        ? `${closes} to go`
        : `${closes} to go at least`;
  return `${record.label} since ${shortDay(record.since.slice(0, 10))}; the data favour ${candidate.label} (${points(candidate.confidence)}, ${needs})`;
}
