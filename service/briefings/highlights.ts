// Service, briefings: the facts that a briefing may lead with, by weight.
import { stateLabel } from '../../shared/domain/states.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { priceText } from '../signals/notes.ts';
import { type BriefingContext, isFund, type SymbolSnapshot } from './context.ts';
import { listUpTo, moved, percent, points, power, rankText, regimeText, tally, wholePercent } from './format.ts';
import {
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

/**
 * Returns null when the context has no such highlight.
 * @param priced the symbols whose move is of the time that the briefing covers
 */
type Finder = (context: BriefingContext, priced: readonly SymbolSnapshot[]) => Highlight | null;

/** Smaller moves are not reported, however low the volatility; a fraction. */
const MIN_MOVE = 0.004;

/** A fund or index whose move is far outside its usual range. */
const move: Finder = (_context, priced) => {
  const [snapshot] = priced.filter(isFund).sort((a, b) => (size(b) ?? 0) - (size(a) ?? 0));
  const ratio = snapshot === undefined ? null : size(snapshot);
  if (snapshot === undefined || ratio === null || ratio < 1.5) return null;
  const { symbol, price, state, change } = snapshot;
  if (change === null || Math.abs(change) < MIN_MOVE) return null;
  const distance = distanceToBreach(snapshot);
  const times = `${ratio.toFixed(1)} times its usual day`;
  return {
    weight: 1.2 + Math.min(ratio, 6) / 3,
    title: `${symbol} ${change < 0 ? 'falls' : 'rises'} ${percent(change)}, ${times}`,
    text: `${symbol} ${moved(change)} to ${priceText(price)}, ${times} of ${percent(usualMove(snapshot) ?? 0)}. It is ${stateLabel(state)}${distance === null ? '' : `, ${distance}`}.`,
    symbols: [symbol],
  };
};

/** The fund or index nearest to a breach, but not past it. */
const near: Finder = (context) => {
  const [snapshot] = fundsOf(context)
    .filter((fund) => drawdownShare(fund) < 0.995)
    .sort((a, b) => drawdownShare(b) - drawdownShare(a));
  const room = snapshot === undefined ? null : roomToBreach(snapshot);
  if (snapshot === undefined || room === null || drawdownShare(snapshot) < 0.15) return null;
  const { symbol, price, reading, state, confidence, baseRate } = snapshot;
  const share = wholePercent(drawdownShare(snapshot));
  return {
    weight: 0.6 + 1.8 * drawdownShare(snapshot),
    title: `${symbol} is ${share} of the way to a breach`,
    text: `${symbol} is ${stateLabel(state)} at ${priceText(price)}, ${share} of the way from its 21-day high to a breach at ${priceText(reading.breachLevel ?? 0)}, ${percent(room)} below. Confidence ${points(confidence)}, base rate ${points(baseRate)}.`,
    symbols: [symbol],
  };
};

/** Funds and indices past their breach level. */
const past: Finder = (context) => {
  const snapshots = byRisk(fundsOf(context).filter((fund) => drawdownShare(fund) >= 1));
  const [worst] = snapshots;
  if (worst === undefined) return null;
  const names = symbolsOf(snapshots);
  return {
    weight: 1.6 + Math.min(names.length, 10) / 8,
    title: `${listUpTo(names, 2)} past the breach level`,
    text: `Past the breach level, so that the warned fall has happened: ${listUpTo(names, 5)}. Furthest is ${worst.symbol}, at ${priceText(worst.price)} against a level of ${priceText(worst.reading.breachLevel ?? 0)}.`,
    symbols: names.slice(0, 3),
  };
};

/** A dimension of the broad market near the extreme of its past. */
const edge: Finder = ({ lead }) => {
  const found = dimensionRanks(lead)
    .filter(({ rank }) => rank >= 0.95 || rank <= 0.05)
    .sort((a, b) => Math.abs(b.rank - 0.5) - Math.abs(a.rank - 0.5));
  const [first] = found;
  if (first === undefined) return null;
  const { dimension, rank } = first;
  const value = power(first.power);
  return {
    weight: 0.9 + found.length / 8,
    title: `${dimension.name} on ${lead.symbol} near the ${rank > 0.5 ? 'top' : 'bottom'} of its 90 days, at ${value}`,
    text: `${dimension.name} (${dimension.description.toLowerCase()}) has a power of ${value} on ${lead.symbol}: ${rankText(rank)} of its past 90 days.`,
    symbols: [lead.symbol],
  };
};

/** A fund whose regime changed. */
const turn: Finder = (context) => {
  const { at, lead } = context;
  const turned = fundsOf(context).filter(({ regimeSince }) => regimeSince !== null && regimeSince > at - 1.6 * DAY_MS);
  const snapshot = turned.find(({ symbol }) => symbol === lead.symbol) ?? turned[0];
  if (snapshot === undefined || snapshot.regime === null) return null;
  const { symbol, days, price } = snapshot;
  const before = days.findLast(({ reading }) => reading.regime !== snapshot.regime)?.reading.regime ?? null;
  const share = context.regime(snapshot)?.confidence ?? null;
  const others = symbolsOf(turned.filter((one) => one !== snapshot));
  const more = others.length === 0 ? '' : ` Others that turned: ${listUpTo(others, 4)}.`;
  return {
    weight: 1.1 + (symbol === lead.symbol ? 0.7 : 0) + Math.min(turned.length, 6) / 10,
    title: `${symbol} turns to ${regimeText(snapshot.regime)} at ${priceText(price)}`,
    text: `The regime of ${symbol} is ${regimeText(snapshot.regime)}, after ${regimeText(before)}${share === null ? '' : `, with a confidence of ${points(share)}`}.${more}`,
    symbols: [symbol],
  };
};

/** Funds that entered High Risk within a day. */
const entries: Finder = (context) => {
  const funds = new Map(fundsOf(context).map((snapshot) => [snapshot.symbol, snapshot]));
  const changes = context.changes(context.at - DAY_MS).list.filter(({ symbol, to }) => to === 2 && funds.has(symbol));
  const into = [...new Set(changes.map(({ symbol }) => symbol))];
  if (into.length === 0) return null;
  const still = into.filter((symbol) => funds.get(symbol)?.state === 2);
  return {
    // Not news in a world where most funds enter and leave every day.
    weight: (into.length > funds.size / 2 ? 0.5 : 0.9) + Math.min(still.length, 6) / 5,
    title: `${listUpTo(into, 2)} into High Risk within a day`,
    text: `Into High Risk within the past 24 hours: ${listUpTo(into, 6)}. ${still.length === 0 ? 'None of them is' : `${still.length} of ${into.length} are`} there now${still.length === 0 ? '' : `: ${listUpTo(still, 5)}`}.`,
    symbols: into.slice(0, 4),
  };
};

/** The broad market; this one always applies. */
const ground: Finder = ({ lead }) => {
  const { symbol, price, since, days, state } = lead;
  const [range, week, distance] = [rangeOf(lead), moveOver(lead, 5), distanceToBreach(lead)];
  const sessions = days.filter(({ closedAt }) => closedAt >= since).length;
  const facts = [
    `${symbol} is ${stateLabel(state)} at ${priceText(price)}${distance === null ? '' : `, ${distance}`}, since ${tally(sessions, 'close')}.`,
    range === null ? '' : `It is ${wholePercent(range.position)} of the way up its 90-day range.`,
    week === null ? '' : `Over five sessions it ${moved(week)}.`,
  ];
  return {
    weight: 0.75,
    title: `${symbol} ${stateLabel(state)} at ${priceText(price)}`,
    text: facts.filter((fact) => fact !== '').join(' '),
    symbols: [symbol],
  };
};

const FINDERS = { move, near, past, edge, turn, entries, ground };
export type HighlightWeights = Readonly<Partial<Record<keyof typeof FINDERS, number>>>;

/**
 * The highlights of a context, most important first. `weights` raises those that match the type of briefing.
 * @param priced the symbols whose move is of the time that the briefing covers
 */
export const highlightsOf = (
  context: BriefingContext,
  weights: HighlightWeights,
  priced = context.snapshots,
): Highlight[] =>
  Object.entries(FINDERS)
    .flatMap(([name, find]): Highlight[] => {
      const found = find(context, priced);
      const factor = weights[name as keyof typeof FINDERS] ?? 1;
      return found === null ? [] : [{ ...found, weight: found.weight * factor }];
    })
    .sort((a, b) => b.weight - a.weight);

/** The symbol of a highlight, or the broad market. */
export const subjectOf = (context: BriefingContext, highlight: Highlight | undefined): SymbolSnapshot =>
  context.snapshots.find(({ symbol }) => symbol === highlight?.symbols[0]) ?? context.lead;
