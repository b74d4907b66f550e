// Service, briefings: a fund or an index has gone into High Risk; those that went at the same instant are told together.
import type { Transition } from '../../shared/wire/records.ts';
import type { Choice } from './choice.ts';
import { type BriefingContext, isFund, type SymbolSnapshot } from './context.ts';
import { type Draft, writtenFrom } from './draft.ts';
import {
  capital,
  clockTime,
  count,
  list,
  listUpTo,
  longDay,
  many,
  moved,
  points,
  quote,
  regimeWord,
  shortDay,
  signed,
  stateWord,
  table,
  tally,
} from './format.ts';
import { moveOver } from './measures.ts';
import { type Block, bodyOf, byRisk, factorTable, ninetyDays, record, type Section, times } from './sections.ts';

/** What a transition briefing is about; each row as it is in the log, except for a time before the log. */
export type Entry = Pick<Transition, 'symbol' | 'from_state' | 'confidence' | 'regime' | 'note' | 'occurred_at'>;

/** @param given went at the same instant; not empty */
export function transition(context: BriefingContext, choose: Choice, given: readonly Entry[]): Draft {
  // The broad market speaks for those that went with it.
  const entries = given.toSorted(
    (a, b) => Number(b.symbol === context.lead.symbol) - Number(a.symbol === context.lead.symbol),
  );
  const snapshots = entries.flatMap(
    ({ symbol }) => context.snapshots.find((snapshot) => snapshot.symbol === symbol) ?? [],
  );
  const first = entries[0] as Entry;
  const snapshot = snapshots[0] ?? context.lead;
  const names = entries.map(({ symbol }) => symbol);
  const date = first.occurred_at.slice(0, 10);
  const clock = clockTime(Date.parse(first.occurred_at));
  const when = `${longDay(date)} at ${clock}`;
  const isJoint = names.length > 1;
  const from = stateWord(first.from_state);
  const opening = isJoint
    ? choose.pick([
        `${listUpTo(names, 6)} went into High Risk at the same moment, on ${when}.`,
        `${capital(many(names.length, 'fund or index', 'funds and indices'))} went into High Risk together on ${when}: ${listUpTo(names, 6)}.`,
      ])
    : choose.pick([
        `${snapshot.instrument.name} (${first.symbol}) went from ${from} to High Risk on ${when}.`,
        `On ${when} ${first.symbol} left ${from} and went into High Risk.`,
        `${first.symbol} is in High Risk since ${when}. Before, it was ${from}.`,
      ]);
  const chance = chances(first, snapshot, choose, isJoint);
  const about = (): SymbolSnapshot => snapshot;
  const sections: Block[] = choose.shuffle<Block>([
    factorTable(about),
    () => earlier(snapshot, context, choose),
    (one, draw) => company(one, draw, names),
    ...(choose.chance(0.5) ? [ninetyDays(about)] : []),
  ]);
  const lead = [opening, chance, `> ${first.note}`, priceOf(snapshot, Date.parse(first.occurred_at), choose)];
  return writtenFrom({
    title: isJoint
      ? choose.pick([
          `${listUpTo(names, 2)} go into High Risk together, ${shortDay(date)}`,
          `${capital(count(names.length))} into High Risk at once on ${shortDay(date)}, ${first.symbol} among them`,
        ])
      : choose.pick([
          `${first.symbol} goes into High Risk, ${shortDay(date)}, ${clock}`,
          `${first.symbol}: from ${from} to High Risk on ${shortDay(date)} at ${clock}`,
          `High Risk on ${first.symbol} (${shortDay(date)}, ${clock})`,
        ]),
    summary: `${opening} ${chance}`,
    body: bodyOf(lead.filter((text) => text !== '').join('\n\n'), [
      ...(isJoint ? [entryTable(entries, snapshots)] : []),
      ...[...sections, record(about)].map((part) => part(context, choose)),
    ]),
    symbols: names,
  });
}

/** @param named among several: the sentence says whom it is about */
function chances(
  { symbol, confidence, regime }: Entry,
  { baseRate }: SymbolSnapshot,
  choose: Choice,
  named: boolean,
): string {
  const where = regime === null ? '' : ` Its regime is ${regimeWord(regime)}.`;
  if (confidence === null) return `There is no probability for ${symbol} yet.${where}`;
  if (baseRate === null || baseRate === 0)
    return `The chance that the warned fall follows is put at ${points(confidence)}.${where}`;
  const ratio = confidence / baseRate;
  const compared =
    ratio >= 1.15
      ? `${ratio.toFixed(1)} times the base rate of ${points(baseRate)}`
      : ratio <= 0.87
        ? `below the base rate of ${points(baseRate)}`
        : `about the base rate of ${points(baseRate)}`;
  const whose = `The model's chance of the warned fall on ${symbol} is ${points(confidence)}, ${compared}.${where}`;
  return named
    ? whose
    : choose.pick([
        whose,
        `The chance that the warned fall follows is put at ${points(confidence)}, ${compared}.${where}`,
      ]);
}

/** Where the price is: of the transition itself where it is known, else of the close before it. */
function priceOf(snapshot: SymbolSnapshot, at: number, choose: Choice): string {
  const { symbol, price, change } = snapshot;
  const closed = snapshot.days.at(-1)?.closedAt === at;
  const month = moveOver(snapshot, 21);
  const tail = month === null ? '' : ` Over 21 sessions it ${moved(month)}.`;
  if (snapshot.forming || closed) {
    const day =
      change === null ? '' : `, ${signed(change, 2)} ${snapshot.forming ? 'on the day so far' : 'on the day'}`;
    return `${symbol} ${closed ? 'closed' : 'trades'} at ${quote(price)}${day}.${tail}`;
  }
  return (
    choose.pick([
      `The last close before it was ${quote(price)}.`,
      `${symbol} had closed at ${quote(price)} the day before.`,
    ]) + (month === null ? '' : ` Over the 21 sessions up to that close it ${moved(month)}.`)
  );
}

const entryTable = (entries: readonly Entry[], snapshots: readonly SymbolSnapshot[]): Section => ({
  heading: 'Who went',
  text: table(
    ['Symbol', 'From', '>Confidence', '>Base rate', 'Regime', '>Last price'],
    entries.slice(0, 10).map(({ symbol, from_state, confidence, regime }) => {
      const snapshot = snapshots.find((one) => one.symbol === symbol);
      return [
        symbol,
        stateWord(from_state),
        points(confidence),
        points(snapshot?.baseRate ?? null),
        regimeWord(regime),
        snapshot === undefined ? 'n/a' : quote(snapshot.price),
      ];
    }),
  ),
});

/** What became of the times before, at closes of the past 90 days. */
function earlier({ symbol, days }: SymbolSnapshot, context: BriefingContext, choose: Choice): Section | null {
  const starts = days.flatMap(({ reading, closedAt }, index) => {
    const began = index > 0 && reading.state === 2 && days[index - 1]?.reading.state !== 2 && closedAt < context.at;
    return began ? [index] : [];
  });
  const heading = choose.pick(['The times before', 'Earlier in these 90 days', 'What followed before']);
  if (starts.length === 0) {
    const elevated = days.filter(({ reading }) => reading.state === 1).length;
    const rest =
      elevated === 0 ? 'and closed in Normal all along' : `and closed ${tally(elevated, 'session')} in Elevated`;
    return { heading, text: `At the closes of the past 90 days ${symbol} did not enter High Risk, ${rest}.` };
  }
  const rows = starts.slice(-4).map((index) => {
    const close = days[index]?.reading.close ?? 0;
    const after = days.slice(index + 1, index + 22).map(({ reading }) => reading.close);
    const five = after[4];
    return [
      shortDay(days[index]?.reading.date ?? ''),
      quote(close),
      five === undefined ? 'not yet' : signed(five / close - 1),
      after.length === 0 ? 'not yet' : signed(Math.min(close, ...after) / close - 1),
      String(lengthOf(days.slice(index))),
    ];
  });
  return {
    heading,
    text: `At a close, ${symbol} entered High Risk ${times(starts.length)} in the past 90 days.\n\n${table(['Entered', '>Close', '>5 sessions on', '>Lowest in 21', '>Sessions in it'], rows)}`,
  };
}

function lengthOf(days: SymbolSnapshot['days']): number {
  const end = days.findIndex(({ reading }) => reading.state !== 2);
  return end === -1 ? days.length : end;
}

/** Who else is in High Risk. */
function company(context: BriefingContext, choose: Choice, names: readonly string[]): Section | null {
  const others = byRisk(
    context.snapshots.filter(
      (snapshot) => isFund(snapshot) && snapshot.state === 2 && !names.includes(snapshot.symbol),
    ),
  );
  const heading = choose.pick(['Alone or not', 'Who else', 'Company']);
  const funds = context.snapshots.filter(isFund).length;
  if (others.length === 0)
    return {
      heading,
      text: `No other of the ${funds} funds and indices is in High Risk: this is about ${list([...names])}, so far.`,
    };
  return {
    heading,
    text: choose.pick([
      `${capital(count(others.length))} other of the ${funds} funds and indices ${others.length === 1 ? 'is' : 'are'} in High Risk already: ${listUpTo(
        others.map(({ symbol }) => symbol),
        6,
      )}.`,
      `It has company: ${listUpTo(
        others.map(({ symbol }) => symbol),
        6,
      )} ${others.length === 1 ? 'is' : 'are'} in High Risk too, ${others.length + names.length} of ${funds} in all.`,
    ]),
  };
}
