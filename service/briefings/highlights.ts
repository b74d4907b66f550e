// Service, briefings: what of a scene is worth telling first. Every story has its weight; a draw decides between near ones, and the words.
import { DAY_MS } from '../../shared/lib/time.ts';
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
  quote,
  regimeWord,
  shortDay,
  stateWord,
} from './format.ts';
import { dimensionRanks, moveOver, rangeOf, roomToBreach, size, usualMove } from './measures.ts';
import { breadthOf, byRisk, distanceToBreach } from './sections.ts';

export interface Highlight {
  readonly weight: number;
  readonly title: string;
  /** A paragraph. */
  readonly text: string;
  readonly symbols: readonly string[];
}
type HighlightTemplate = (context: BriefingContext, choose: Choice) => Highlight | null;

/** A smaller move is no story, however calm the symbol is; a fraction. */
const LEAST_MOVE = 0.004;

/** A fund or index that moved far out of its usual day. */
const move: HighlightTemplate = (context, choose) => {
  const [snapshot] = context.snapshots.filter(isFund).sort((a, b) => (size(b) ?? 0) - (size(a) ?? 0));
  const times = snapshot === undefined ? null : size(snapshot);
  const usual = snapshot === undefined ? null : usualMove(snapshot);
  if (
    snapshot === undefined ||
    times === null ||
    usual === null ||
    snapshot.change === null ||
    times < 1.5 ||
    Math.abs(snapshot.change) < LEAST_MOVE
  )
    return null;
  const { symbol, change } = snapshot;
  const fell = change < 0;
  const distance = distanceToBreach(snapshot);
  const title = choose.pick([
    `${symbol} ${fell ? 'falls' : 'rises'} ${percent(change)}, ${times.toFixed(1)} times its usual day`,
    `${symbol}: ${percent(change)} ${fell ? 'down' : 'up'} where ${percent(usual)} is usual`,
    `${fell ? 'A hard day' : 'A strong day'} for ${symbol}: ${fell ? 'down' : 'up'} ${percent(change)}`,
  ]);
  const stateText = `It is ${stateWord(snapshot.state)}${distance === null ? '' : `, ${distance}`}.`;
  const text = choose.pick([
    `${symbol} ${moved(change)} to ${quote(snapshot.price)}. Over the past 90 days its usual session moved ${percent(usual)}, so this one is ${times.toFixed(1)} times as large. ${stateText}`,
    `The move that stands out is in ${symbol}: it ${moved(change)} to ${quote(snapshot.price)}, ${times.toFixed(1)} times a usual session of the past 90 days. ${stateText}`,
  ]);
  return { weight: 1.2 + Math.min(times, 6) / 3, title, text, symbols: [symbol] };
};

/** Who is nearest to a breach without being past it. */
const near: HighlightTemplate = (context, choose) => {
  const open = context.snapshots.filter(
    (snapshot) => isFund(snapshot) && (snapshot.reading.drawdownFraction ?? 0) < 0.995,
  );
  const [snapshot] = open.sort((a, b) => (b.reading.drawdownFraction ?? 0) - (a.reading.drawdownFraction ?? 0));
  const fraction = snapshot?.reading.drawdownFraction ?? 0;
  const left = snapshot === undefined ? null : roomToBreach(snapshot);
  if (snapshot === undefined || left === null || fraction < 0.15) return null;
  const { symbol, price, reading } = snapshot;
  const share = Math.round(100 * fraction);
  const level = quote(reading.breachLevel ?? 0);
  return {
    weight: 0.6 + 1.8 * fraction,
    title: choose.pick([
      `${symbol} is ${share} % of the way to a breach`,
      `${symbol} has ${percent(left)} left before a breach`,
      `Watch ${symbol}: at ${quote(price)}, breach level ${level}`,
    ]),
    text: choose.pick([
      `Nearest to a breach among funds and indices is ${symbol}: at ${quote(price)} it has gone ${share} % of the way, and another ${percent(left)} down, to ${level}, would complete it. It is ${stateWord(snapshot.state)} with a confidence of ${points(snapshot.confidence)}.`,
      `${symbol} is ${stateWord(snapshot.state)} at ${quote(price)}, ${share} % of the way from its 21-day high to a breach. The level is ${level}, ${percent(left)} below. Confidence ${points(snapshot.confidence)}, base rate ${points(snapshot.baseRate)}.`,
    ]),
    symbols: [symbol],
  };
};

/** Funds and indices that are past their breach level. */
const past: HighlightTemplate = (context, choose) => {
  const snapshots = byRisk(
    context.snapshots.filter((snapshot) => isFund(snapshot) && (snapshot.reading.drawdownFraction ?? 0) >= 1),
  );
  const [worst] = snapshots;
  if (worst === undefined) return null;
  const names = snapshots.map(({ symbol }) => symbol);
  return {
    weight: 1.6 + Math.min(snapshots.length, 10) / 8,
    title: choose.pick([
      `${listUpTo(names, 2)} past the breach level`,
      `${capital(many(snapshots.length, 'fund'))} past the breach level, ${worst.symbol} furthest`,
      `Below the line: ${listUpTo(names, 3)}`,
    ]),
    text: choose.pick([
      `${listUpTo(names, 5)} ${isAre(snapshots.length)} past the breach level: the fall that the signal warns of has happened there. ${worst.symbol} is furthest, at ${quote(worst.price)} against a level of ${quote(worst.reading.breachLevel ?? 0)}.`,
      `The warned fall has come in ${listUpTo(names, 5)}. Furthest beyond its level of ${quote(worst.reading.breachLevel ?? 0)} is ${worst.symbol}, at ${quote(worst.price)}; from here on the signal measures how long it lasts.`,
    ]),
    symbols: names.slice(0, 3),
  };
};

/** How many are out of Normal, against 90 days. */
const width: HighlightTemplate = (context, choose) => {
  const found = breadthOf(context);
  if (found === null) return null;
  const total = context.snapshots.length;
  const distance = Math.abs(found.now - found.median) / total;
  const record = found.now >= found.most && found.now > 0;
  return {
    // What was as wide the day before is no news.
    weight: (0.7 + 2 * distance + (record ? 0.6 : 0)) * (found.now === found.before ? 0.5 : 1),
    title: choose.pick([
      `${capital(count(found.now))} of ${total} symbols out of Normal${record ? ', a 90-day high' : ''}`,
      `Out of Normal: ${found.now} of ${total}, median ${found.median}`,
      found.now > found.median
        ? `Risk is wider than usual: ${found.now} of ${total}`
        : `Risk is narrow: ${found.now} of ${total} out of Normal`,
    ]),
    text: choose.pick([
      `${capital(count(found.now))} of ${total} symbols ${isAre(found.now)} out of Normal. The median of the past 90 days is ${found.median}; the most, ${found.most}, was counted on ${shortDay(found.mostOn)}.`,
      `Counting everything that is not Normal gives ${found.now} of ${total}. Half of the closes of the past 90 days had ${found.median} or fewer, and the widest, on ${shortDay(found.mostOn)}, had ${found.most}.`,
    ]),
    symbols: [],
  };
};

/** A dimension of the broad market at the edge of its past. */
const edge: HighlightTemplate = (context, choose) => {
  const found = dimensionRanks(context.lead)
    .filter(({ rank }) => rank >= 0.95 || rank <= 0.05)
    .sort((a, b) => Math.abs(b.rank - 0.5) - Math.abs(a.rank - 0.5));
  const [first] = found;
  if (first === undefined) return null;
  const { dimension, power: value, rank } = first;
  const top = rank > 0.5;
  const edgeWord =
    rank === 1
      ? 'at its highest of 90 days'
      : rank === 0
        ? 'at its lowest of 90 days'
        : top
          ? `above ${Math.round(100 * rank)} % of the past 90 days`
          : `below ${Math.round(100 * (1 - rank))} % of the past 90 days`;
  const description = dimension.description.toLowerCase();
  const { symbol } = context.lead;
  return {
    weight: 0.9 + found.length / 8,
    title: choose.pick([
      `${dimension.name} on ${symbol} ${top ? 'near the top' : 'near the bottom'} of its 90 days, at ${power(value)}`,
      `${symbol}: ${dimension.name} at ${power(value)}, ${edgeWord}`,
      `${dimension.name} stands out on ${symbol} at ${power(value)}, the price at ${quote(context.lead.price)}`,
    ]),
    text: choose.pick([
      `Of the twelve dimensions of ${symbol} it is ${dimension.name} (${description}) that stands out: its power is ${power(value)}, ${edgeWord}.`,
      `${dimension.name}, which measures ${description}, has a power of ${power(value)} on ${symbol}; that is ${edgeWord}.${found.length > 1 ? ` ${capital(count(found.length - 1))} more of the twelve ${isAre(found.length - 1)} at an edge too: ${list(found.slice(1).map((one) => one.dimension.name))}.` : ''}`,
    ]),
    symbols: [symbol],
  };
};

/** A fund whose regime turned. */
const turn: HighlightTemplate = (context, choose) => {
  const turned = context.snapshots.filter(
    (snapshot) => isFund(snapshot) && snapshot.regimeSince !== null && snapshot.regimeSince > context.at - 1.6 * DAY_MS,
  );
  const snapshot = turned.find(({ symbol }) => symbol === context.lead.symbol) ?? turned[0];
  if (snapshot === undefined || snapshot.regime === null) return null;
  const { symbol, reading } = snapshot;
  const shares = reading.regimeProbabilities as Readonly<Record<string, number>> | null;
  const share = shares?.[snapshot.regime] ?? null;
  const before = snapshot.days.findLast((row) => row.reading.regime !== snapshot.regime)?.reading.regime ?? null;
  const sure = share === null ? '' : ` The model gives it ${Math.round(100 * share)} %.`;
  const also =
    turned.length > 1
      ? ` Others that turned: ${listUpTo(
          turned.filter((one) => one !== snapshot).map((one) => one.symbol),
          4,
        )}.`
      : '';
  return {
    weight: 1.1 + (symbol === context.lead.symbol ? 0.7 : 0) + Math.min(turned.length, 6) / 10,
    title: choose.pick([
      `${symbol} turns to ${regimeWord(snapshot.regime)} at ${quote(snapshot.price)}`,
      `New regime for ${symbol}: ${regimeWord(snapshot.regime)}, at ${quote(snapshot.price)}`,
    ]),
    text: choose.pick([
      `${symbol} has turned ${before === null ? '' : `from ${regimeWord(before)} `}to ${regimeWord(snapshot.regime)}.${sure}${also}`,
      `The regime of ${symbol} is now ${regimeWord(snapshot.regime)}${before === null ? '' : `, after ${regimeWord(before)}`}.${sure}${also}`,
    ]),
    symbols: [symbol],
  };
};

/** Funds that went into High Risk since the day before, or came out of it. */
const entries: HighlightTemplate = (context, choose) => {
  const funds = new Set(context.snapshots.filter(isFund).map(({ symbol }) => symbol));
  const into = [
    ...new Set(
      context
        .changes(context.at - DAY_MS)
        .filter(({ symbol, to }) => to === 2 && funds.has(symbol))
        .map(({ symbol }) => symbol),
    ),
  ];
  if (into.length === 0) return null;
  const still = into.filter((symbol) => context.snapshots.find((snapshot) => snapshot.symbol === symbol)?.state === 2);
  const rest =
    still.length === into.length
      ? into.length === 1
        ? 'It is there still.'
        : 'All of them are there still.'
      : still.length === 0
        ? 'None of them is there now.'
        : `Still there: ${listUpTo(still, 5)}.`;
  return {
    // Where most go in and out each day, it is no news.
    weight: (into.length > funds.size / 2 ? 0.5 : 0.9) + Math.min(still.length, 6) / 5,
    title: choose.pick([
      `${listUpTo(into, 2)} into High Risk within a day`,
      `High Risk seen in ${many(into.length, 'fund')}: ${listUpTo(into, 2)}`,
    ]),
    text: choose.pick([
      `Within the past 24 hours ${listUpTo(into, 6)} went into High Risk. ${rest}`,
      `${capital(many(into.length, 'fund or index', 'funds and indices'))} went into High Risk in the past 24 hours: ${listUpTo(into, 6)}. ${rest}`,
    ]),
    symbols: into.slice(0, 4),
  };
};

/** The broad market at large, which always can be told. */
const ground: HighlightTemplate = (context, choose) => {
  const { lead } = context;
  const range = rangeOf(lead);
  const week = moveOver(lead, 5);
  const sessions = lead.days.filter(({ closedAt }) => closedAt >= lead.since).length;
  const positionText =
    range === null ? '' : ` It stands ${Math.round(100 * range.position)} % of the way up its 90-day range.`;
  const distance = distanceToBreach(lead);
  return {
    weight: 0.75,
    title: choose.pick([
      `${lead.symbol} ${stateWord(lead.state)} at ${quote(lead.price)}`,
      range === null
        ? `${lead.symbol} at ${quote(lead.price)}`
        : `${lead.symbol} ${range.position >= 0.66 ? 'high' : range.position <= 0.34 ? 'low' : 'in the middle'} in its 90-day range`,
      distance === null ? `${lead.symbol} as it stands` : `${lead.symbol} is ${distance}`,
    ]),
    text: choose.pick([
      `${lead.symbol} is ${stateWord(lead.state)} at ${quote(lead.price)}${distance === null ? '' : `, ${distance}`}.${positionText}${week === null ? '' : ` Over five sessions it ${moved(week)}.`}`,
      `${lead.symbol}, at ${quote(lead.price)}, has been ${stateWord(lead.state)} for ${sessions === 0 ? 'less than a session' : many(sessions, 'session')}.${week === null ? '' : ` In five sessions it ${moved(week)}.`}${positionText}`,
    ]),
    symbols: [lead.symbol],
  };
};

const HIGHLIGHT_TEMPLATES: Readonly<Record<string, HighlightTemplate>> = {
  move,
  near,
  past,
  width,
  edge,
  turn,
  entries,
  ground,
};
export type HighlightName = 'move' | 'near' | 'past' | 'width' | 'edge' | 'turn' | 'entries' | 'ground';

/** The highlights of a context, the most important first. `weights` raises what a kind of briefing is for. */
export function highlightsOf(
  context: BriefingContext,
  choose: Choice,
  weights: Readonly<Partial<Record<HighlightName, number>>>,
): Highlight[] {
  const rendered = Object.entries(HIGHLIGHT_TEMPLATES).flatMap(([name, render]) => {
    const highlight = render(context, choose);
    if (highlight === null) return [];
    const drawn = 0.75 + 0.5 * choose.pick([0, 0.2, 0.4, 0.6, 0.8, 1]);
    return { ...highlight, weight: highlight.weight * drawn * (weights[name as HighlightName] ?? 1) };
  });
  return rendered.sort((a, b) => b.weight - a.weight);
}

/** The symbol that a highlight is about, else the broad market. */
export const subjectOf = (context: BriefingContext, highlight: Highlight | undefined): SymbolSnapshot =>
  context.snapshots.find(({ symbol }) => symbol === highlight?.symbols[0]) ?? context.lead;
