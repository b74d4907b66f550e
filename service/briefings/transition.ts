// Service, briefings: entries of funds or indices into High Risk, one briefing per instant.
import { isSameClaim } from '../../shared/domain/claims.ts';
import { stateLabel } from '../../shared/domain/states.ts';
import type { TransitionRecord } from '../../shared/wire/records.ts';
import { heldText, priceText } from '../signals/notes.ts';
import type { Choice } from './choice.ts';
import type { BriefingContext, SymbolSnapshot } from './context.ts';
import { type Block, type Draft, draftOf, type Section } from './draft.ts';
import {
  type Column,
  capital,
  clockTime,
  count,
  fallText,
  list,
  listUpTo,
  longDay,
  many,
  moved,
  orNone,
  points,
  regimeText,
  shortDay,
  signed,
  table,
  tally,
  times,
} from './format.ts';
import { byRisk, fundsOf, moveOver, statesOf, symbolsOf } from './measures.ts';
import { factors, ninetyDays, record } from './symbol-sections.ts';

/** An entry into High Risk, from the log, or from the closes for a time before the log. */
export type Entry = Pick<
  TransitionRecord,
  'symbol' | 'from_state' | 'confidence' | 'confidence_of' | 'regime' | 'note' | 'occurred_at' | 'held_by'
>;

interface Wordings {
  readonly openings: readonly string[];
  readonly titles: readonly string[];
}

/** @param given entries of the same instant; not empty */
export function transition(context: BriefingContext, choose: Choice, given: readonly Entry[]): Draft {
  const isLead = ({ symbol }: Entry): number => Number(symbol === context.lead.symbol);
  const entries = given.toSorted((a, b) => isLead(b) - isLead(a));
  const first = entries[0] as Entry;
  const snapshotOf = ({ symbol }: Entry) => context.snapshots.find((snapshot) => snapshot.symbol === symbol);
  const subject = entries.map(snapshotOf).find((snapshot) => snapshot !== undefined) ?? context.lead;
  const names = entries.map(({ symbol }) => symbol);
  const isJoint = names.length > 1;
  const { openings, titles } = isJoint ? jointWordings(first, names) : singleWordings(first, subject);
  const opening = choose.pick(openings);
  const chance = chanceText(first, subject, choose, isJoint);
  const sections = choose.shuffle<Block>([
    factors,
    (_context, draw) => earlierEntries(subject, context.at, draw),
    (_context, draw) => others(context, draw, names),
    ...(choose.chance(0.5) ? [ninetyDays] : []),
  ]);
  const lead = [opening, chance, `> ${first.note}`, priceSentence(subject, Date.parse(first.occurred_at), choose)];
  return draftOf({
    title: choose.pick(titles),
    summary: `${opening} ${chance}`,
    lead,
    sections: [
      isJoint ? entryTable(entries, snapshotOf) : null,
      ...[...sections, record].map((block) => block(context, choose, subject)),
    ],
    symbols: names,
  });
}

const clockOf = ({ occurred_at }: Entry): string => clockTime(Date.parse(occurred_at));
const dateOf = ({ occurred_at }: Entry): string => occurred_at.slice(0, 10);
const instantOf = (entry: Entry): string => `${longDay(dateOf(entry))} at ${clockOf(entry)}`;

const jointWordings = (first: Entry, names: readonly string[]): Wordings => ({
  openings: [
    `${listUpTo(names, 6)} went into High Risk at the same moment, on ${instantOf(first)}.`,
    `${capital(many(names.length, 'fund or index', 'funds and indices'))} went into High Risk together on ${instantOf(first)}: ${listUpTo(names, 6)}.`,
  ],
  titles: [
    `${listUpTo(names, 2)} go into High Risk together, ${shortDay(dateOf(first))}`,
    `${capital(count(names.length))} into High Risk at once on ${shortDay(dateOf(first))}, ${first.symbol} among them`,
  ],
});

function singleWordings(entry: Entry, { instrument }: SymbolSnapshot): Wordings {
  const { symbol, from_state } = entry;
  const from = stateLabel(from_state);
  const [day, clock, instant] = [shortDay(dateOf(entry)), clockOf(entry), instantOf(entry)];
  return {
    openings: [
      `${instrument.name} (${symbol}) went from ${from} to High Risk on ${instant}.`,
      `On ${instant} ${symbol} left ${from} and went into High Risk.`,
      `${symbol} is in High Risk since ${instant}. Before, it was ${from}.`,
    ],
    titles: [
      `${symbol} goes into High Risk, ${day}, ${clock}`,
      `${symbol}: from ${from} to High Risk on ${day} at ${clock}`,
      `High Risk on ${symbol} (${day}, ${clock})`,
    ],
  };
}

/** The base rate of what the entry's confidence is about; null where the snapshot's is about something else. */
const rateFor = (entry: Entry, snapshot: SymbolSnapshot | undefined): number | null =>
  snapshot !== undefined && isSameClaim(entry, { confidence_of: snapshot.reading.claim }) ? snapshot.baseRate : null;

/** @param named whether the sentence names its symbol, one of several */
function chanceText(entry: Entry, snapshot: SymbolSnapshot, choose: Choice, named: boolean): string {
  const { symbol, confidence, regime, held_by = 'none' } = entry;
  const where = regime === null ? '' : ` Its regime is ${regimeText(regime)}.`;
  if (confidence === null) return `There is no probability for ${symbol} yet.${where}`;
  const fall = fallText(entry.confidence_of ?? 'event');
  const chance = `The chance that ${fall} follows is put at ${points(confidence)}`;
  const baseRate = rateFor(entry, snapshot);
  if (baseRate === null || baseRate === 0) return `${chance}.${where}`;
  const held = heldText(2, held_by, confidence, baseRate);
  if (held !== '') return `${named ? `${symbol}: ` : ''}${held}${where}`;
  const ratio = confidence / baseRate;
  const relation = ratio >= 1.15 ? `${ratio.toFixed(1)} times` : ratio <= 0.87 ? 'below' : 'about';
  const compared = `${relation} the base rate of ${points(baseRate)}.${where}`;
  const withName = `The model's chance of ${fall} on ${symbol} is ${points(confidence)}, ${compared}`;
  return named ? withName : choose.pick([withName, `${chance}, ${compared}`]);
}

/** The price at the transition if known, otherwise at the close before it. */
function priceSentence(snapshot: SymbolSnapshot, at: number, choose: Choice): string {
  const { symbol, change, forming } = snapshot;
  const price = priceText(snapshot.price);
  const closed = snapshot.days.at(-1)?.closedAt === at;
  const month = moveOver(snapshot, 21);
  if (forming || closed) {
    const day = change === null ? '' : `, ${signed(change, 2)} ${forming ? 'on the day so far' : 'on the day'}`;
    const tail = month === null ? '' : ` Over 21 sessions it ${moved(month)}.`;
    return `${symbol} ${closed ? 'closed' : 'trades'} at ${price}${day}.${tail}`;
  }
  const close = choose.pick([
    `The last close before it was ${price}.`,
    `${symbol} had closed at ${price} the day before.`,
  ]);
  return `${close}${month === null ? '' : ` Over the 21 sessions up to that close it ${moved(month)}.`}`;
}

function entryTable(entries: readonly Entry[], snapshotOf: (entry: Entry) => SymbolSnapshot | undefined): Section {
  const rows = entries.slice(0, 10);
  const falling = rows.filter((entry) => entry.confidence_of === 'further_fall').map(({ symbol }) => symbol);
  const remark =
    falling.length === 0 ? '' : `\n\nThe confidence of ${list(falling)} is about ${fallText('further_fall')}.`;
  const columns: Column<Entry>[] = [
    ['Symbol', ({ symbol }) => symbol],
    ['From', ({ from_state }) => stateLabel(from_state)],
    ['>Confidence', ({ confidence }) => points(confidence)],
    ['>Base rate', (entry) => points(rateFor(entry, snapshotOf(entry)))],
    ['Regime', ({ regime }) => regimeText(regime)],
    ['>Last price', (entry) => orNone(snapshotOf(entry) ?? null, ({ price }) => priceText(price))],
  ];
  return { heading: 'Which symbols', text: `${table(columns, rows)}${remark}` };
}

/** Earlier entries at closes of the past 90 days, and the prices after them. */
function earlierEntries(snapshot: SymbolSnapshot, at: number, choose: Choice): Section {
  const { symbol, days } = snapshot;
  const starts = [...days.keys()].filter((index) => {
    const [before, day] = [days[index - 1], days[index]];
    return before !== undefined && before.state !== 2 && day?.state === 2 && day.closedAt < at;
  });
  const heading = choose.pick(['The times before', 'Earlier in these 90 days', 'What followed before']);
  if (starts.length === 0) {
    const before = days.filter(({ closedAt }) => closedAt < at);
    const { 1: elevated, 2: high } = statesOf({ ...snapshot, days: before }).sessions;
    const inElevated = elevated === 0 ? [] : [`${tally(elevated, 'session')} in Elevated`];
    // Without an entry these are its first closes.
    const rest =
      high > 0
        ? `; it was in it before, and closed ${list([`the first ${tally(high, 'session')} in it`, ...inElevated])}`
        : `, and closed ${inElevated[0] ?? 'in Normal all along'}`;
    return { heading, text: `At the closes of the past 90 days ${symbol} did not enter High Risk${rest}.` };
  }
  const rows = starts.slice(-4).map((index) => {
    const [entered, ...later] = days
      .slice(index)
      .map(({ reading: { date, close }, state }) => ({ date, close, state }));
    const end = later.findIndex(({ state }) => state !== 2);
    return {
      date: entered?.date ?? '',
      close: entered?.close ?? 0,
      after: later.slice(0, 21).map(({ close }) => close),
      sessions: 1 + (end === -1 ? later.length : end),
    };
  });
  const columns: Column<(typeof rows)[number]>[] = [
    ['Entered', ({ date }) => shortDay(date)],
    ['>Close', ({ close }) => priceText(close)],
    [
      '>5 sessions on',
      ({ close, after: [, , , , five] }) => (five === undefined ? 'not yet' : signed(five / close - 1)),
    ],
    [
      '>Lowest in 21',
      ({ close, after }) => (after.length === 0 ? 'not yet' : signed(Math.min(close, ...after) / close - 1)),
    ],
    ['>Sessions in it', ({ sessions }) => String(sessions)],
  ];
  return {
    heading,
    text: `At a close, ${symbol} entered High Risk ${times(starts.length)} in the past 90 days.\n\n${table(columns, rows)}`,
  };
}

/** The other funds in High Risk. */
function others(context: BriefingContext, choose: Choice, names: readonly string[]): Section {
  const funds = fundsOf(context);
  const inHighRisk = symbolsOf(byRisk(funds.filter(({ state, symbol }) => state === 2 && !names.includes(symbol))));
  const heading = choose.pick(['Alone or not', 'Who else', 'Company']);
  if (inHighRisk.length === 0)
    return {
      heading,
      text: `No other of the ${funds.length} funds and indices is in High Risk: this is about ${list(names)}, so far.`,
    };
  const verb = inHighRisk.length === 1 ? 'is' : 'are';
  return {
    heading,
    text: choose.pick([
      `${capital(count(inHighRisk.length))} other of the ${funds.length} funds and indices ${verb} in High Risk already: ${listUpTo(inHighRisk, 6)}.`,
      `It has company: ${listUpTo(inHighRisk, 6)} ${verb} in High Risk too, ${inHighRisk.length + names.length} of ${funds.length} in all.`,
    ]),
  };
}
