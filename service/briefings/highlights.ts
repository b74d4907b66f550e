// Service, briefings: candidates for the lead as weighted templates; a draw decides close calls.
import { stateLabel } from '../../shared/domain/states.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { priceText } from '../signals/notes.ts';
import type { Choice } from './choice.ts';
import { type BriefingContext, isFund, type SymbolSnapshot } from './context.ts';
import {
  capital,
  count,
  isAre,
  list,
  listUpTo,
  many,
  moved,
  percent,
  points,
  power,
  regimeText,
  shortDay,
  wholePercent,
} from './format.ts';
import {
  breadthOf,
  byRisk,
  dimensionRanks,
  drawdownShare,
  fundsOf,
  moveOver,
  rangeOf,
  roomToBreach,
  size,
  symbolsOf,
  usualMove,
} from './measures.ts';
import { distanceToBreach } from './symbol-sections.ts';

export interface Highlight {
  readonly weight: number;
  readonly title: string;
  /** A paragraph. */
  readonly text: string;
  readonly symbols: readonly string[];
}

/** A highlight with all its wordings; a draw picks one title and one text. */
interface Wordings {
  readonly weight: number;
  readonly titles: readonly string[];
  readonly texts: readonly string[];
  readonly symbols: readonly string[];
}
/**
 * Returns null when the context has no such highlight.
 * @param priced the symbols whose move is of the time that the briefing covers
 */
type HighlightTemplate = (context: BriefingContext, priced: readonly SymbolSnapshot[]) => Wordings | null;

/** Smaller moves are not reported, however low the volatility; a fraction. */
const MIN_MOVE = 0.004;

/** A fund or index whose move is far outside its usual range. */
const move: HighlightTemplate = (_context, priced) => {
  const [snapshot] = priced.filter(isFund).sort((a, b) => (size(b) ?? 0) - (size(a) ?? 0));
  const ratio = snapshot === undefined ? null : size(snapshot);
  if (snapshot === undefined || ratio === null || ratio < 1.5) return null;
  const { symbol, price, state } = snapshot;
  const change = snapshot.change ?? 0;
  if (Math.abs(change) < MIN_MOVE) return null;
  const usual = percent(usualMove(snapshot) ?? 0);
  const distance = distanceToBreach(snapshot);
  const fell = change < 0;
  const times = ratio.toFixed(1);
  const stateText = `It is ${stateLabel(state)}${distance === null ? '' : `, ${distance}`}.`;
  return {
    weight: 1.2 + Math.min(ratio, 6) / 3,
    titles: [
      `${symbol} ${fell ? 'falls' : 'rises'} ${percent(change)}, ${times} times its usual day`,
      `${symbol}: ${percent(change)} ${fell ? 'down' : 'up'} where ${usual} is usual`,
      `${fell ? 'A hard day' : 'A strong day'} for ${symbol}: ${fell ? 'down' : 'up'} ${percent(change)}`,
    ],
    texts: [
      `${symbol} ${moved(change)} to ${priceText(price)}. Over the past 90 days its usual session moved ${usual}, so this one is ${times} times as large. ${stateText}`,
      `The most unusual move is in ${symbol}: it ${moved(change)} to ${priceText(price)}, ${times} times a usual session of the past 90 days. ${stateText}`,
    ],
    symbols: [symbol],
  };
};

/** The fund or index nearest to a breach, but not past it. */
const near: HighlightTemplate = (context) => {
  const [snapshot] = fundsOf(context)
    .filter((fund) => drawdownShare(fund) < 0.995)
    .sort((a, b) => drawdownShare(b) - drawdownShare(a));
  const room = snapshot === undefined ? null : roomToBreach(snapshot);
  if (snapshot === undefined || room === null || drawdownShare(snapshot) < 0.15) return null;
  const { symbol, price, reading, state, confidence, baseRate } = snapshot;
  const share = wholePercent(drawdownShare(snapshot));
  const level = priceText(reading.breachLevel ?? 0);
  return {
    weight: 0.6 + 1.8 * drawdownShare(snapshot),
    titles: [
      `${symbol} is ${share} of the way to a breach`,
      `${symbol} has ${percent(room)} left before a breach`,
      `${symbol} at ${priceText(price)}, breach level ${level}`,
    ],
    texts: [
      `Nearest to a breach among funds and indices is ${symbol}: at ${priceText(price)} it has gone ${share} of the way, and another ${percent(room)} down, to ${level}, would complete it. It is ${stateLabel(state)} with a confidence of ${points(confidence)}.`,
      `${symbol} is ${stateLabel(state)} at ${priceText(price)}, ${share} of the way from its 21-day high to a breach. The level is ${level}, ${percent(room)} below. Confidence ${points(confidence)}, base rate ${points(baseRate)}.`,
    ],
    symbols: [symbol],
  };
};

/** Funds and indices past their breach level. */
const past: HighlightTemplate = (context) => {
  const snapshots = byRisk(fundsOf(context).filter((fund) => drawdownShare(fund) >= 1));
  const [worst] = snapshots;
  if (worst === undefined) return null;
  const names = symbolsOf(snapshots);
  const level = priceText(worst.reading.breachLevel ?? 0);
  return {
    weight: 1.6 + Math.min(names.length, 10) / 8,
    titles: [
      `${listUpTo(names, 2)} past the breach level`,
      `${capital(many(names.length, 'fund'))} past the breach level, ${worst.symbol} furthest`,
      `Below the line: ${listUpTo(names, 3)}`,
    ],
    texts: [
      `${listUpTo(names, 5)} ${isAre(names.length)} past the breach level: the fall that the signal warns of has happened there. ${worst.symbol} is furthest, at ${priceText(worst.price)} against a level of ${level}.`,
      `The warned fall has come in ${listUpTo(names, 5)}. Furthest beyond its level of ${level} is ${worst.symbol}, at ${priceText(worst.price)}; from here on the signal measures how long it lasts.`,
    ],
    symbols: names.slice(0, 3),
  };
};

/** Number of symbols out of Normal, compared with the past 90 days. */
const width: HighlightTemplate = (context) => {
  const found = breadthOf(context);
  if (found === null) return null;
  const { now, before, median, most, mostOn } = found;
  const total = context.snapshots.length;
  const record = now >= most && now > 0;
  const isNew = now !== before;
  return {
    weight: (0.7 + (2 * Math.abs(now - median)) / total + (record ? 0.6 : 0)) * (isNew ? 1 : 0.5),
    titles: [
      `${capital(count(now))} of ${total} symbols out of Normal${record ? ', a 90-day high' : ''}`,
      `Out of Normal: ${now} of ${total}, median ${median}`,
      now > median
        ? `Risk is wider than usual: ${now} of ${total}`
        : `Risk is narrow: ${now} of ${total} out of Normal`,
    ],
    texts: [
      `${capital(count(now))} of ${total} symbols ${isAre(now)} out of Normal. The median of the past 90 days is ${median}; the most, ${most}, was counted on ${shortDay(mostOn)}.`,
      `Counting everything that is not Normal gives ${now} of ${total}. Half of the closes of the past 90 days had ${median} or fewer, and the widest, on ${shortDay(mostOn)}, had ${most}.`,
    ],
    symbols: [],
  };
};

/** A dimension of the broad market near the extreme of its past. */
const edge: HighlightTemplate = ({ lead: { symbol, price }, lead }) => {
  const found = dimensionRanks(lead)
    .filter(({ rank }) => rank >= 0.95 || rank <= 0.05)
    .sort((a, b) => Math.abs(b.rank - 0.5) - Math.abs(a.rank - 0.5));
  const [first, ...others] = found;
  if (first === undefined) return null;
  const { dimension, rank } = first;
  const value = power(first.power);
  const top = rank > 0.5;
  const within = top ? `above ${wholePercent(rank)}` : `below ${wholePercent(1 - rank)}`;
  const edgeText =
    rank === 1
      ? 'at its highest of 90 days'
      : rank === 0
        ? 'at its lowest of 90 days'
        : `${within} of the past 90 days`;
  const description = dimension.description.toLowerCase();
  const more =
    others.length === 0
      ? ''
      : ` ${capital(count(others.length))} more of the twelve ${isAre(others.length)} at an edge too: ${list(others.map((one) => one.dimension.name))}.`;
  return {
    weight: 0.9 + found.length / 8,
    titles: [
      `${dimension.name} on ${symbol} ${top ? 'near the top' : 'near the bottom'} of its 90 days, at ${value}`,
      `${symbol}: ${dimension.name} at ${value}, ${edgeText}`,
      `${dimension.name} is unusual on ${symbol} at ${value}, the price at ${priceText(price)}`,
    ],
    texts: [
      `Of the twelve dimensions of ${symbol} ${dimension.name} (${description}) is the most unusual: its power is ${value}, ${edgeText}.`,
      `${dimension.name}, which measures ${description}, has a power of ${value} on ${symbol}; that is ${edgeText}.${more}`,
    ],
    symbols: [symbol],
  };
};

/** A fund whose regime changed. */
const turn: HighlightTemplate = (context) => {
  const { at, lead } = context;
  const turned = fundsOf(context).filter(({ regimeSince }) => regimeSince !== null && regimeSince > at - 1.6 * DAY_MS);
  const snapshot = turned.find(({ symbol }) => symbol === lead.symbol) ?? turned[0];
  if (snapshot === undefined || snapshot.regime === null) return null;
  const { symbol, days, price } = snapshot;
  const regime = regimeText(snapshot.regime);
  const share = context.regime(snapshot)?.confidence ?? null;
  const before = days.findLast((row) => row.reading.regime !== snapshot.regime)?.reading.regime ?? null;
  const others = symbolsOf(turned.filter((one) => one !== snapshot));
  const rest = [
    share === null ? '' : ` The data gave it ${points(share)}.`,
    others.length === 0 ? '' : ` Others that turned: ${listUpTo(others, 4)}.`,
  ].join('');
  return {
    weight: 1.1 + (symbol === lead.symbol ? 0.7 : 0) + Math.min(turned.length, 6) / 10,
    titles: [
      `${symbol} turns to ${regime} at ${priceText(price)}`,
      `New regime for ${symbol}: ${regime}, at ${priceText(price)}`,
    ],
    texts: [
      `${symbol} has turned ${before === null ? '' : `from ${regimeText(before)} `}to ${regime}.${rest}`,
      `The regime of ${symbol} is now ${regime}${before === null ? '' : `, after ${regimeText(before)}`}.${rest}`,
    ],
    symbols: [symbol],
  };
};

/** Funds that entered High Risk within a day. */
const entries: HighlightTemplate = (context) => {
  const funds = new Map(fundsOf(context).map((snapshot) => [snapshot.symbol, snapshot]));
  const changes = context.changes(context.at - DAY_MS).list.filter(({ symbol, to }) => to === 2 && funds.has(symbol));
  const into = [...new Set(changes.map(({ symbol }) => symbol))];
  if (into.length === 0) return null;
  const still = into.filter((symbol) => funds.get(symbol)?.state === 2);
  const all = into.length === 1 ? 'It is there still.' : 'All of them are there still.';
  const some = still.length === 0 ? 'None of them is there now.' : `Still there: ${listUpTo(still, 5)}.`;
  const rest = still.length === into.length ? all : some;
  return {
    // Not news in a world where most funds enter and leave every day.
    weight: (into.length > funds.size / 2 ? 0.5 : 0.9) + Math.min(still.length, 6) / 5,
    titles: [
      `${listUpTo(into, 2)} into High Risk within a day`,
      `High Risk seen in ${many(into.length, 'fund')}: ${listUpTo(into, 2)}`,
    ],
    texts: [
      `Within the past 24 hours ${listUpTo(into, 6)} went into High Risk. ${rest}`,
      `${capital(many(into.length, 'fund or index', 'funds and indices'))} went into High Risk in the past 24 hours: ${listUpTo(into, 6)}. ${rest}`,
    ],
    symbols: into.slice(0, 4),
  };
};

/** The broad market; this template always applies. */
const ground: HighlightTemplate = ({ lead: { symbol, price, since, days, state }, lead }) => {
  const range = rangeOf(lead);
  const week = moveOver(lead, 5);
  const distance = distanceToBreach(lead);
  const sessions = days.filter(({ closedAt }) => closedAt >= since).length;
  const label = stateLabel(state);
  const where = range === null ? '' : ` It is ${wholePercent(range.position)} of the way up its 90-day range.`;
  const third = (position: number): string => (position >= 0.66 ? 'high' : position <= 0.34 ? 'low' : 'in the middle');
  return {
    weight: 0.75,
    titles: [
      `${symbol} ${label} at ${priceText(price)}`,
      range === null ? `${symbol} at ${priceText(price)}` : `${symbol} ${third(range.position)} in its 90-day range`,
      distance === null ? `${symbol} now` : `${symbol} is ${distance}`,
    ],
    texts: [
      `${symbol} is ${label} at ${priceText(price)}${distance === null ? '' : `, ${distance}`}.${where}${week === null ? '' : ` Over five sessions it ${moved(week)}.`}`,
      `${symbol}, at ${priceText(price)}, has been ${label} for ${sessions === 0 ? 'less than a session' : many(sessions, 'session')}.${week === null ? '' : ` In five sessions it ${moved(week)}.`}${where}`,
    ],
    symbols: [symbol],
  };
};

/** In draw order: append new templates, because the order determines the draws. */
const TEMPLATES = { move, near, past, width, edge, turn, entries, ground };
export type HighlightWeights = Readonly<Partial<Record<keyof typeof TEMPLATES, number>>>;

/**
 * The highlights of a context, most important first. `weights` raises those that match the type of briefing.
 * @param priced the symbols whose move is of the time that the briefing covers
 */
export function highlightsOf(
  context: BriefingContext,
  choose: Choice,
  weights: HighlightWeights,
  priced = context.snapshots,
): Highlight[] {
  const highlights = Object.entries(TEMPLATES).flatMap(([name, template]): Highlight[] => {
    const wordings = template(context, priced);
    if (wordings === null) return [];
    const { weight, titles, texts, symbols } = wordings;
    const [title, text] = [choose.pick(titles), choose.pick(texts)];
    const drawn = 0.75 + 0.5 * choose.pick([0, 0.2, 0.4, 0.6, 0.8, 1]);
    return [{ title, text, symbols, weight: weight * drawn * (weights[name as keyof typeof TEMPLATES] ?? 1) }];
  });
  return highlights.sort((a, b) => b.weight - a.weight);
}

/** The symbol of a highlight, or the broad market. */
export const subjectOf = (context: BriefingContext, highlight: Highlight | undefined): SymbolSnapshot =>
  context.snapshots.find(({ symbol }) => symbol === highlight?.symbols[0]) ?? context.lead;
