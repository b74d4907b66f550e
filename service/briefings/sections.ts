// Service, briefings: parts that several kinds of briefing are put together from. Each is made from a scene, or left out when it has nothing to say.
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import type { Choice } from './choice.ts';
import { type BriefingContext, type Change, isFund, type SymbolSnapshot } from './context.ts';
import {
  capital,
  clockTime,
  count,
  countOf,
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
  signed,
  stateWord,
  table,
  tally,
} from './format.ts';
import {
  type DimensionRank,
  dimensionRanks,
  moveOver,
  rangeOf,
  roomToBreach,
  size,
  statesOf,
  usualMove,
  weights,
} from './measures.ts';

export interface Section {
  readonly heading: string;
  /** Markdown. */
  readonly text: string;
}
export type Block = (context: BriefingContext, choose: Choice) => Section | null;

export const bodyOf = (lead: string, sections: readonly (Section | null)[]): string =>
  [
    lead,
    ...sections
      .filter((section) => section !== null && section.text !== '')
      .map((section) => `## ${section?.heading}\n\n${section?.text}`),
  ].join('\n\n');

/** "39 % of the way to a breach at 438.54", "past the breach level of 438.54"; null without a level. */
export function distanceToBreach({ reading }: SymbolSnapshot): string | null {
  const { drawdownFraction, breachLevel } = reading;
  if (drawdownFraction === null || breachLevel === null) return null;
  const share = Math.round(100 * drawdownFraction);
  if (share === 0) return `at its 21-day high, with a breach level of ${quote(breachLevel)}`;
  return share >= 100
    ? `past its breach level of ${quote(breachLevel)}`
    : `${share} % of the way to a breach at ${quote(breachLevel)}`;
}

/** The riskiest first: state, then the way to a breach. */
export const byRisk = (snapshots: readonly SymbolSnapshot[]): SymbolSnapshot[] =>
  [...snapshots].sort(
    (a, b) => b.state - a.state || (b.reading.drawdownFraction ?? 0) - (a.reading.drawdownFraction ?? 0),
  );

export const stateTable =
  (most: number): Block =>
  (context, choose) => {
    const rows = [
      context.lead,
      ...byRisk(context.snapshots.filter(isFund)).filter(({ symbol }) => symbol !== context.lead.symbol),
    ].slice(0, most);
    const wide = choose.chance(0.5);
    const head = [
      'Symbol',
      'State',
      '>Price',
      '>Day',
      ...(wide ? ['>5 sessions'] : []),
      '>Way to breach',
      '>Confidence',
      '>Base rate',
    ];
    const cells = (snapshot: SymbolSnapshot): string[] => [
      snapshot.symbol,
      stateWord(snapshot.state),
      quote(snapshot.price),
      snapshot.change === null ? 'n/a' : signed(snapshot.change, 2),
      ...(wide ? [signedOr(moveOver(snapshot, 5))] : []),
      snapshot.reading.drawdownFraction === null ? 'n/a' : `${Math.round(100 * snapshot.reading.drawdownFraction)} %`,
      points(snapshot.confidence),
      points(snapshot.baseRate),
    ];
    const note = choose.pick([
      'Confidence is the chance in percent that the state is right: in Elevated and High Risk that the warned fall follows, in Normal that none does. The base rate is how often it follows any close.',
      'Read the confidence beside the base rate: the one is the chance that the warned fall follows now (in Normal: that it does not), the other how often it follows any close at all.',
      'In Elevated and High Risk the confidence is the chance of the warned fall, in Normal the chance of none. Without any signal the chance of a fall is the base rate.',
    ]);
    return {
      heading: choose.pick(['Where it stands', 'The board', 'State of play', 'Positions at a glance']),
      text: `${table(head, rows.map(cells))}\n\n${note}`,
    };
  };

const signedOr = (share: number | null): string => (share === null ? 'n/a' : signed(share));

/** Prices at which the picture would change. */
export const levels: Block = (context, choose) => {
  const rows = context.snapshots
    .filter((snapshot) => isFund(snapshot) && (roomToBreach(snapshot) ?? -1) > 0)
    .sort((a, b) => (b.reading.drawdownFraction ?? 0) - (a.reading.drawdownFraction ?? 0))
    .slice(0, choose.pick([4, 5, 6]));
  if (rows.length < 2) return null;
  const [first] = rows;
  const cells = (snapshot: SymbolSnapshot): string[] => [
    snapshot.symbol,
    quote(snapshot.price),
    quote(snapshot.reading.breachLevel ?? 0),
    percent(roomToBreach(snapshot) ?? 0),
    usualMoves(snapshot),
  ];
  const sentence = choose.pick([
    `A breach is a fall from the 21-day high that is large for the symbol's own volatility. ${first?.symbol} has gone furthest.`,
    `These are the closes that would count as a breach, nearest in terms of the way already gone first.`,
    `How far prices may still fall before it counts as a breach, for those that have gone furthest. ${first?.symbol} leads the list.`,
  ]);
  return {
    heading: choose.pick(['Levels that matter', 'What would be a breach', 'Room to fall']),
    text: `${sentence}\n\n${table(['Symbol', '>Price', '>Breach at', '>Room', '>In usual days'], rows.map(cells))}`,
  };
};

function usualMoves(snapshot: SymbolSnapshot): string {
  const usual = usualMove(snapshot);
  const left = roomToBreach(snapshot);
  return usual === null || left === null || usual === 0 ? 'n/a' : (left / usual).toFixed(1);
}

/** Who moved most against its own usual day. */
export const movers: Block = (context, choose) => {
  const rows = context.snapshots
    .flatMap((snapshot) => {
      const times = size(snapshot);
      return times === null || snapshot.change === null ? [] : [{ snapshot, times, change: snapshot.change }];
    })
    .sort((a, b) => b.times - a.times)
    .slice(0, choose.pick([4, 5, 6]));
  if (rows.length < 3) return null;
  const up = context.snapshots.filter(({ change }) => (change ?? 0) > 0).length;
  const breadth = choose.pick([
    `${capital(countOf(up))} of ${context.snapshots.length} symbols ${isAre(up)} up.`,
    `Advancers ${up}, the rest ${context.snapshots.length - up}.`,
    `Up: ${up} of ${context.snapshots.length}.`,
  ]);
  return {
    heading: choose.pick(['Who moved', 'Moves against the usual day', 'Movers']),
    text: `${breadth} ${choose.pick([
      'The largest moves, measured in days that are usual for each symbol (the median of its past 90 days):',
      'Size counts in usual days, so that a quiet fund and a wild share can be compared:',
      'Ranked by how unusual the move is, not by how large:',
    ])}\n\n${table(
      ['Symbol', '>Price', '>Move', '>Usual day', '>Times usual', 'State'],
      rows.map(({ snapshot, times, change }) => [
        snapshot.symbol,
        quote(snapshot.price),
        signed(change, 2),
        percent(usualMove(snapshot) ?? 0, 2),
        times.toFixed(1),
        stateWord(snapshot.state),
      ]),
    )}`,
  };
};

/** Changes of state since an instant. */
export const changesSince =
  (from: (context: BriefingContext) => number, since: string): Block =>
  (context, choose) => {
    const changes = context.changes(from(context));
    const heading = choose.pick(['Changes of state', 'What changed', 'State changes']);
    if (changes.length === 0) {
      return {
        heading,
        text: choose.pick([
          `No symbol has changed its state since ${since}.`,
          `Since ${since} every symbol has kept its state.`,
        ]),
      };
    }
    const high = changes.filter(({ to }) => to === 2);
    const back = changes.filter(({ to }) => to === 0);
    const symbols = new Set(changes.map(({ symbol }) => symbol));
    const opening = choose.pick([
      `${capital(many(changes.length, 'change'))} since ${since}, on ${many(symbols.size, 'symbol')}: ${countOf(high.length)} into High Risk, ${countOf(back.length)} back to Normal.`,
      `Since ${since} there ${changes.length === 1 ? 'was' : 'were'} ${many(changes.length, 'change')} of state. ${capital(countOf(high.length))} led into High Risk, ${countOf(back.length)} back to Normal.`,
    ]);
    const shown = (high.length > 0 ? high : changes).slice(-choose.pick([4, 5, 6])).reverse();
    const latest = shown.length === high.length || shown.length === changes.length ? '' : 'The latest ';
    const caption = high.length > 0 ? ` ${capital(`${latest}into High Risk:`)}` : latest === '' ? '' : ' The latest:';
    return {
      heading,
      text: `${opening}${caption}\n\n${shown.map((change) => `- ${changeText(change)}`).join('\n')}`,
    };
  };

/** "SPY from Normal to High Risk, 2 March 14:09 UTC". */
function changeText({ symbol, from, to, at }: Change): string {
  const date = dateOf(at);
  return `**${symbol}** from ${stateWord(from)} to ${stateWord(to)}, ${shortDay(date)} ${clockTime(at)}`;
}

/** The dimensions of one symbol, and what of them is out of the ordinary. */
export const factorTable =
  (of: (context: BriefingContext) => SymbolSnapshot): Block =>
  (context, choose) => {
    const snapshot = of(context);
    const rows = weights(snapshot).slice(0, choose.pick([4, 5]));
    const known = rows.length > 0 ? rows : unusual(snapshot).slice(0, 5);
    if (known.length === 0) return null;
    const { symbol } = snapshot;
    const remark = dimensionRemark(snapshot, choose);
    const opening =
      rows.length > 0
        ? choose.pick([
            `What the risk score of ${symbol} is made of at present, largest part first. A minus lowers the risk.`,
            `The dimensions that weigh most in ${symbol}'s risk score; a share with a minus speaks against a fall.`,
            `Behind ${symbol}'s risk score stand, in order of weight:`,
          ])
        : `The dimensions of ${symbol} that stand furthest from their own past 90 days:`;
    const cells = ({ dimension, power: value, rank, change, share }: DimensionRank): string[] => [
      `${dimension.code} ${dimension.name}`,
      power(value),
      rankWord(rank),
      change === null ? 'n/a' : signedPower(change),
      share === null ? 'n/a' : signed(share, 0),
    ];
    return {
      heading: choose.pick([`What drives ${symbol}`, `Factors behind ${symbol}`, `${symbol} in its dimensions`]),
      text: `${opening}\n\n${table(['Dimension', '>Power', '90-day place', '>5 sessions', '>Share of risk'], known.map(cells))}${remark === '' ? '' : `\n\n${remark}`}`,
    };
  };

export const signedPower = (change: number): string => {
  const text = Math.abs(change).toFixed(2);
  return text === '0.00' ? text : `${change < 0 ? '−' : '+'}${text}`;
};

/** "highest", "lowest", "above 83 %". */
export function rankWord(rank: number): string {
  if (rank === 1) return 'highest';
  if (rank === 0) return 'lowest';
  return `above ${Math.round(100 * rank)} %`;
}

const unusual = (snapshot: SymbolSnapshot): DimensionRank[] =>
  dimensionRanks(snapshot).sort((a, b) => Math.abs(b.rank - 0.5) - Math.abs(a.rank - 0.5));

function dimensionRemark(snapshot: SymbolSnapshot, choose: Choice): string {
  const extreme = unusual(snapshot).filter(({ rank }) => rank >= 0.97 || rank <= 0.03);
  if (extreme.length === 0)
    return choose.pick([
      'None of the twelve is at an extreme of its past 90 days.',
      'No dimension is at a 90-day extreme.',
      '',
    ]);
  const highs = extreme.filter(({ rank }) => rank > 0.5).map(({ dimension }) => dimension.name);
  const lows = extreme.filter(({ rank }) => rank < 0.5).map(({ dimension }) => dimension.name);
  const clauses = [
    ...(highs.length > 0 ? [`${list(highs)} ${isAre(highs.length)} at or near the top`] : []),
    ...(lows.length > 0 ? [`${list(lows)} ${isAre(lows.length)} at or near the bottom`] : []),
  ];
  return `Of all twelve, ${clauses.join(', ')} of the past 90 days.`;
}

/** How often the signal was right where it had not been fitted. */
export const record =
  (of: (context: BriefingContext) => SymbolSnapshot): Block =>
  (context, choose) => {
    const snapshot = of(context);
    const { symbol, baseRate } = snapshot;
    const holdOutRecord = context.record(symbol);
    if (holdOutRecord === null) return null;
    const base = baseRate === null ? '' : ` Any close is followed by such a fall ${points(baseRate)} of the time.`;
    const heading = choose.pick(['How far to trust it', 'The record', 'Hold-out record', 'Before acting on it']);
    if (holdOutRecord.signals === 0) {
      return {
        heading,
        text: `In the hold-out window of ${holdOutRecord.bars} closes High Risk was never signalled on ${symbol}, so there is no record to lean on.${base}`,
      };
    }
    if (holdOutRecord.events === 0) {
      return {
        heading,
        text: `In the hold-out window of ${holdOutRecord.bars} closes High Risk was signalled ${times(holdOutRecord.signals)} on ${symbol} and no fall came: every signal that could be judged passed without one.${base}`,
      };
    }
    const right = Math.round(100 * holdOutRecord.precision);
    const caught = Math.round(100 * holdOutRecord.recall);
    const text = choose.pick([
      `On ${symbol} the hold-out window counts ${tally(holdOutRecord.signals, 'High Risk signal')} and ${tally(holdOutRecord.events, 'fall')} over ${holdOutRecord.bars} closes. Precision is ${right} %, recall ${caught} %.${base}`,
      `Over the ${holdOutRecord.bars} closes held out, High Risk on ${symbol} was right in ${right} % of its signals and announced ${caught} % of the falls (${tally(holdOutRecord.signals, 'signal')}, ${tally(holdOutRecord.events, 'fall')}).${base}`,
      `The hold-out record of ${symbol}: ${tally(holdOutRecord.signals, 'signal')}, precision ${right} %, recall ${caught} %, against ${tally(holdOutRecord.events, 'fall')} that came.${base}`,
    ]);
    const warning = choose.pick([
      'A fall already under way is part of that, so the figures flatter.',
      'With so few cases the figures are a guide and no more.',
      'Most signals still pass without the fall; size positions accordingly.',
    ]);
    return {
      heading,
      text: `${text} ${holdOutRecord.precision < 0.5 && choose.chance(0.6) ? 'Most signals pass without the fall.' : warning}`,
    };
  };

/** Which regimes stand, and since when. */
export const regimes: Block = (context, choose) => {
  const funds = context.snapshots.filter((snapshot) => isFund(snapshot) && snapshot.regime !== null);
  if (funds.length < 3) return null;
  const groups = new Map<string, string[]>();
  for (const { symbol, regime } of funds) groups.set(regime ?? '', [...(groups.get(regime ?? '') ?? []), symbol]);
  const rows = [...groups].sort((a, b) => b[1].length - a[1].length);
  const fresh = [...funds, ...context.regimeOnly].filter(
    ({ regimeSince }) => regimeSince !== null && regimeSince > context.at - 7 * DAY_MS,
  );
  const turned =
    fresh.length === 0
      ? 'None of them turned in the past week.'
      : `Turned within the past week: ${listUpTo(
          fresh.map(({ symbol, regime }) => `${symbol} (to ${regimeWord(regime)})`),
          4,
        )}.`;
  const others = context.regimeOnly.map(({ symbol, regime }) => `${symbol} in ${regimeWord(regime)}`);
  const beside = others.length === 0 ? '' : ` Beside the funds: ${list(others)}.`;
  return {
    heading: choose.pick(['Regimes', 'The slower picture', 'Which regime']),
    text: `${table(
      ['Regime', '>Funds and indices', 'Which'],
      rows.map(([regime, symbols]) => [regimeWord(regime), String(symbols.length), listUpTo(symbols, 6)]),
    )}\n\n${turned}${beside}`,
  };
};

/** One symbol against its past 90 days, in a paragraph. */
export const ninetyDays =
  (of: (context: BriefingContext) => SymbolSnapshot): Block =>
  (context, choose) => {
    const snapshot = of(context);
    const range = rangeOf(snapshot);
    if (range === null) return null;
    const { symbol, days, price } = snapshot;
    const { sessions, entries } = statesOf(snapshot);
    const position = Math.round(100 * range.position);
    const where = choose.pick([
      `${symbol} at ${quote(price)} stands ${position} % of the way up its 90-day range, from a lowest close of ${quote(range.low.price)} on ${shortDay(range.low.date)} to a highest of ${quote(range.high.price)} on ${shortDay(range.high.date)}.`,
      `The past 90 days of ${symbol} ran between ${quote(range.low.price)} (${shortDay(range.low.date)}) and ${quote(range.high.price)} (${shortDay(range.high.date)}) at the close; ${quote(price)} is ${position} % of the way up.`,
    ]);
    const spent = snapshot.instrument.regimeOnly
      ? ''
      : sessions[1] + sessions[2] === 0
        ? choose.pick([
            `All ${days.length} closes were in Normal.`,
            `It closed in Normal all along, ${days.length} times.`,
          ])
        : choose.pick([
            `Of ${days.length} closes ${sessions[0]} were in Normal, ${sessions[1]} in Elevated and ${sessions[2]} in High Risk.`,
            `High Risk took up ${sessions[2]} of ${days.length} closes${entries === 0 ? '' : ` and began ${times(entries)}`}, Elevated ${sessions[1]}.`,
          ]);
    return {
      heading: choose.pick([`${symbol} over 90 days`, 'Set against 90 days', 'The longer look']),
      text: `${where} ${spent}`.trim(),
    };
  };

export const times = (value: number): string =>
  value === 0 ? 'not once' : value === 1 ? 'once' : value === 2 ? 'twice' : `${count(value)} times`;

/** How many symbols are out of Normal, now and at the closes of the past 90 days. */
export interface Breadth {
  readonly now: number;
  /** At the close before. */
  readonly before: number;
  readonly median: number;
  readonly most: number;
  /** Session date of the most. */
  readonly mostOn: string;
}
export function breadthOf({ snapshots }: BriefingContext): Breadth | null {
  const byDate = new Map<string, { out: number; of: number }>();
  for (const { days } of snapshots) {
    for (const { reading } of days) {
      const { out, of } = byDate.get(reading.date) ?? { out: 0, of: 0 };
      byDate.set(reading.date, { out: out + (reading.state > 0 ? 1 : 0), of: of + 1 });
    }
  }
  // A day on which few of them trade (a coin's Sunday) is none to compare with.
  const days = [...byDate].filter(([, { of }]) => of >= snapshots.length / 2).sort((a, b) => (a[0] < b[0] ? -1 : 1));
  if (days.length < 15) return null;
  const counts = days.map(([, { out }]) => out);
  const most = Math.max(...counts);
  const forming = snapshots.some((snapshot) => snapshot.forming);
  return {
    now: snapshots.filter(({ state }) => state > 0).length,
    before: counts.at(forming ? -1 : -2) ?? 0,
    median: counts.toSorted((a, b) => a - b)[counts.length >> 1] ?? 0,
    most,
    mostOn: days[counts.lastIndexOf(most)]?.[0] ?? '',
  };
}

export const breadth: Block = (context, choose) => {
  const found = breadthOf(context);
  if (found === null) return null;
  const high = context.snapshots.filter(({ state }) => state === 2);
  const total = context.snapshots.length;
  const named =
    high.length === 0
      ? 'None is in High Risk.'
      : `In High Risk: ${listUpTo(
          byRisk(high).map(({ symbol }) => symbol),
          7,
        )}.`;
  return {
    heading: choose.pick(['Breadth', 'How wide it is', 'Across the board']),
    text: `${choose.pick([
      `${found.now} of ${total} symbols are out of Normal. At the closes of the past 90 days the median was ${found.median} and the most ${found.most}, on ${shortDay(found.mostOn)}.`,
      `Out of Normal at present: ${found.now} of ${total}. That compares with a median of ${found.median} over 90 days and a peak of ${found.most} on ${shortDay(found.mostOn)}.`,
    ])} ${named}`,
  };
};

/** "SPY rose 0.4 % to 524.72." */
export const priceSentence = ({ symbol, change, price }: SymbolSnapshot): string =>
  change === null ? `${symbol} stands at ${quote(price)}.` : `${symbol} ${moved(change)} to ${quote(price)}.`;
