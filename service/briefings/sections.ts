// Service, briefings: the sections that several types of briefing share.
// A section without content is null.
import { stateLabel } from '../../shared/domain/states.ts';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import type { RegimeRecord } from '../../shared/wire/regime.ts';
import type { Choice } from './choice.ts';
import type { BriefingContext, Change, Changes, SymbolSnapshot } from './context.ts';
import type { Section } from './draft.ts';
import {
  type Column,
  capital,
  clockTime,
  count,
  countOf,
  isAre,
  list,
  listUpTo,
  many,
  orNone,
  percent,
  points,
  power,
  quote,
  rankText,
  regimeText,
  shortDay,
  signed,
  signedPower,
  table,
  tally,
  times,
  wholePercent,
} from './format.ts';
import {
  breadthOf,
  byRisk,
  changesOfSession,
  type DimensionRank,
  dimensionRanks,
  drawdownShare,
  fundsOf,
  moveOver,
  pricedOn,
  rangeOf,
  risenOf,
  riskShares,
  roomToBreach,
  size,
  statesOf,
  symbolsOf,
  usualMove,
} from './measures.ts';

/** @param subject the symbol of a section about one symbol */
export type Block = (context: BriefingContext, choose: Choice, subject: SymbolSnapshot) => Section | null;

/** Columns of tables whose rows are symbols. */
export const COLUMNS = {
  symbol: ['Symbol', ({ symbol }) => symbol],
  state: ['State', ({ state }) => stateLabel(state)],
  now: ['Now', ({ state }) => stateLabel(state)],
  price: ['>Price', ({ price }) => quote(price)],
  day: ['>Day', ({ change }) => signed(change, 2)],
  week: ['>5 sessions', (snapshot) => signed(moveOver(snapshot, 5))],
  month: ['>21 sessions', (snapshot) => signed(moveOver(snapshot, 21))],
  drawdown: ['>Way to breach', ({ reading }) => orNone(reading.drawdownFraction, wholePercent)],
  breach: ['>Breach at', ({ reading }) => quote(reading.breachLevel ?? 0)],
  room: ['>Room', (snapshot) => percent(roomToBreach(snapshot) ?? 0)],
  usualDays: ['>In usual days', (snapshot) => usualDaysToBreach(snapshot)],
  usual: ['>Usual day', (snapshot) => percent(usualMove(snapshot) ?? 0, 2)],
  timesUsual: ['>Times usual', (snapshot) => (size(snapshot) ?? 0).toFixed(1)],
  confidence: ['>Confidence', ({ confidence }) => points(confidence)],
  baseRate: ['>Base rate', ({ baseRate }) => points(baseRate)],
  regime: ['Regime', ({ regime }) => regimeText(regime)],
} as const satisfies Record<string, Column<SymbolSnapshot>>;

/** Columns of tables whose rows are dimensions. */
export const DIMENSION_COLUMNS = {
  name: ['Dimension', ({ dimension }) => `${dimension.code} ${dimension.name}`],
  domain: ['Measures', ({ dimension }) => dimension.domain],
  power: ['>Power', (rank) => power(rank.power)],
  rank: ['90-day place', ({ rank }) => rankText(rank)],
  change: ['>5 sessions', ({ change }) => signedPower(change)],
  share: ['>Share of risk', ({ share }) => signed(share, 0)],
} as const satisfies Record<string, Column<DimensionRank>>;

function usualDaysToBreach(snapshot: SymbolSnapshot): string {
  const usual = usualMove(snapshot);
  const left = roomToBreach(snapshot);
  return usual === null || left === null || usual === 0 ? 'n/a' : (left / usual).toFixed(1);
}

/** "39 % of the way to a breach at 438.54", "past its breach level of 438.54"; null without a level. */
export function distanceToBreach({ reading }: SymbolSnapshot): string | null {
  const { drawdownFraction, breachLevel } = reading;
  if (drawdownFraction === null || breachLevel === null) return null;
  const share = Math.round(100 * drawdownFraction);
  if (share === 0) return `at its 21-day high, with a breach level of ${quote(breachLevel)}`;
  return share >= 100
    ? `past its breach level of ${quote(breachLevel)}`
    : `${share} % of the way to a breach at ${quote(breachLevel)}`;
}

/** The broad market and the riskiest funds, `most` rows. */
export const stateTable =
  (most: number): Block =>
  (context, choose) => {
    const { symbol, state, price, day, week, drawdown, confidence, baseRate } = COLUMNS;
    const others = byRisk(fundsOf(context)).filter((snapshot) => snapshot.symbol !== context.lead.symbol);
    const columns = [symbol, state, price, day, ...(choose.chance(0.5) ? [week] : []), drawdown, confidence, baseRate];
    const note = choose.pick([
      'Confidence is the chance in percent that the state is right: in Elevated and High Risk that the warned fall follows, in Normal that none does. The base rate is how often it follows any close.',
      'Read the confidence beside the base rate: the one is the chance that the warned fall follows now (in Normal: that it does not), the other how often it follows any close at all.',
      'In Elevated and High Risk the confidence is the chance of the warned fall, in Normal the chance of none. Without any signal the chance of a fall is the base rate.',
    ]);
    return {
      heading: choose.pick(['States now', 'State of the market', 'State by state', 'Symbols and their states']),
      text: `${table(columns, [context.lead, ...others].slice(0, most))}\n\n${note}`,
    };
  };

/** The breach levels of the funds nearest to them. */
export const levels: Block = (context, choose) => {
  const rows = fundsOf(context)
    .filter((snapshot) => (roomToBreach(snapshot) ?? -1) > 0)
    .sort((a, b) => drawdownShare(b) - drawdownShare(a))
    .slice(0, choose.pick([4, 5, 6]));
  if (rows.length < 2) return null;
  const sentence = choose.pick([
    `A breach is a fall from the 21-day high that is large for the symbol's own volatility. ${rows[0]?.symbol} has gone furthest.`,
    `These are the closes that would count as a breach, nearest in terms of the way already gone first.`,
    `How far prices may still fall before it counts as a breach, for those that have gone furthest. ${rows[0]?.symbol} leads the list.`,
  ]);
  const { symbol, price, breach, room, usualDays } = COLUMNS;
  return {
    heading: choose.pick(['Levels that matter', 'What would be a breach', 'Room to fall']),
    text: `${sentence}\n\n${table([symbol, price, breach, room, usualDays], rows)}`,
  };
};

/** " The other three have no price of the day.", or nothing. @param priced the symbols with one */
export function unpricedText({ snapshots }: BriefingContext, priced: readonly SymbolSnapshot[]): string {
  const rest = snapshots.length - priced.length;
  return rest === 0 ? '' : ` The other ${count(rest)} ${rest === 1 ? 'has' : 'have'} no price of the day.`;
}

/** The largest moves of a session day, in multiples of each symbol's usual move. */
export const movers =
  (date: string): Block =>
  (context, choose) => {
    const priced = pricedOn(context, date);
    const total = priced.length;
    const rows = priced
      .filter((snapshot) => size(snapshot) !== null)
      .sort((a, b) => (size(b) ?? 0) - (size(a) ?? 0))
      .slice(0, choose.pick([4, 5, 6]));
    if (rows.length < 3) return null;
    const up = risenOf(priced);
    const breadthText = choose.pick([
      `${capital(countOf(up))} of ${total} symbols ${isAre(up)} up.`,
      `Advancers ${up}, the rest ${total - up}.`,
      `Up: ${up} of ${total}.`,
    ]);
    const { symbol, price, day, usual, timesUsual, state } = COLUMNS;
    return {
      heading: choose.pick(['Who moved', 'Moves against the usual day', 'Movers']),
      text: `${breadthText}${unpricedText(context, priced)} ${choose.pick([
        'The largest moves, measured in days that are usual for each symbol (the median of its past 90 days):',
        'Size counts in usual days, so that a quiet fund and a wild share can be compared:',
        'Ranked by how unusual the move is, not by how large:',
      ])}\n\n${table([symbol, price, ['>Move', day[1]], usual, timesUsual, state], rows)}`,
    };
  };

/** Changes of state since an instant, world ms, as many as the event log lists. @param named the instant */
export const changesSince =
  (from: (context: BriefingContext) => number, named: string): Block =>
  (context, choose) => {
    const asked = from(context);
    return changesSection(context.changes(asked), asked, named, choose);
  };

/** Changes of state since the last close, of each symbol its own. */
export const changesSinceClose: Block = (context, choose) => {
  const { asked, isOneClose, ...changes } = changesOfSession(context);
  // A log that begins later names its own instant, and that is one for all symbols.
  const named = changes.since > asked ? context.changes(asked) : changes;
  return changesSection(named, asked, isOneClose ? 'the last close' : 'the last close of each symbol', choose);
};

/** @param asked the instant asked for, world ms, and its name */
function changesSection(
  { since: begin, source, list: changes }: Changes,
  asked: number,
  named: string,
  choose: Choice,
): Section {
  const since =
    source === 'closes'
      ? `${named}, from close to close`
      : begin > asked
        ? `the event log began on ${shortDay(dateOf(begin))} at ${clockTime(begin)}`
        : named;
  const heading = choose.pick(['Changes of state', 'What changed', 'State changes']);
  if (changes.length === 0) {
    const none = [`No symbol has changed its state since ${since}.`, `Since ${since} every symbol has kept its state.`];
    return { heading, text: choose.pick(none) };
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
}

/** "SPY from Normal to High Risk, 2 March 14:09 UTC". */
const changeText = ({ symbol, from, to, at }: Change): string =>
  `**${symbol}** from ${stateLabel(from)} to ${stateLabel(to)}, ${shortDay(dateOf(at))} ${clockTime(at)}`;

const extremeness = ({ rank }: DimensionRank): number => Math.abs(rank - 0.5);
/** Dimensions, the furthest from the median of their past first. */
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

/** Where prices within the day are followed, alerts come within the day, and this record is not theirs. */
const OF_CLOSES = ' Alerts within the day have a record of their own.';

/** The precision of High Risk at closes on the subject in the hold-out window. */
export const record: Block = (context, choose, { symbol, baseRate, forming }) => {
  const held = context.record(symbol);
  if (held === null) return null;
  const { bars, signals, events, precision } = held;
  const rate = baseRate === null ? '' : ` Any close is followed by such a fall ${points(baseRate)} of the time.`;
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

/** The regimes of the funds, and those that changed within a week. */
export const regimes: Block = (context, choose) => {
  const funds = fundsOf(context).filter(({ regime }) => regime !== null);
  if (funds.length < 3) return null;
  const rows = [...Map.groupBy(funds, ({ regime }) => regime)].sort((a, b) => b[1].length - a[1].length);
  const turned = [...funds, ...context.regimeOnly]
    .filter(({ regimeSince }) => regimeSince !== null && regimeSince > context.at - 7 * DAY_MS)
    .map(({ symbol, regime }) => `${symbol} (to ${regimeText(regime)})`);
  const turnedText =
    turned.length === 0
      ? 'None of them turned in the past week.'
      : `Turned within the past week: ${listUpTo(turned, 4)}.`;
  const others = context.regimeOnly.map(({ symbol, regime }) => `${symbol} in ${regimeText(regime)}`);
  const columns: Column<(typeof rows)[number]>[] = [
    ['Regime', ([regime]) => regimeText(regime)],
    ['>Funds and indices', ([, members]) => String(members.length)],
    ['Which', ([, members]) => listUpTo(symbolsOf(members), 6)],
  ];
  return {
    heading: choose.pick(['Regimes', 'The slower picture', 'Which regime']),
    text: `${table(columns, rows)}\n\n${turnedText}${others.length === 0 ? '' : ` Beside the funds: ${list(others)}.`}`,
  };
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
    `${symbol} at ${quote(price)} is ${position} of the way up its 90-day range, from a lowest close of ${quote(low.price)} on ${shortDay(low.date)} to a highest of ${quote(high.price)} on ${shortDay(high.date)}.`,
    `The past 90 days of ${symbol} ran between ${quote(low.price)} (${shortDay(low.date)}) and ${quote(high.price)} (${shortDay(high.date)}) at the close; ${quote(price)} is ${position} of the way up.`,
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

/** Number of symbols out of Normal, compared with the past 90 days. */
export const breadth: Block = (context, choose) => {
  const found = breadthOf(context);
  if (found === null) return null;
  const { now, median, most, mostOn } = found;
  const total = context.snapshots.length;
  const high = symbolsOf(byRisk(context.snapshots.filter(({ state }) => state === 2)));
  const named = high.length === 0 ? 'None is in High Risk.' : `In High Risk: ${listUpTo(high, 7)}.`;
  return {
    heading: choose.pick(['Breadth', 'How wide it is', 'Across the board']),
    text: `${choose.pick([
      `${now} of ${total} symbols are out of Normal. At the closes of the past 90 days the median was ${median} and the most ${most}, on ${shortDay(mostOn)}.`,
      `Out of Normal at present: ${now} of ${total}. That compares with a median of ${median} over 90 days and a peak of ${most} on ${shortDay(mostOn)}.`,
    ])} ${named}`,
  };
};

/** "Calm Uptrend", or with the regime that the data favour and what it still needs. */
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
