// Service, briefings: entries of funds or indices into High Risk, one briefing per instant.
import { isSameClaim } from '../../shared/domain/claims.ts';
import { stateLabel } from '../../shared/domain/states.ts';
import type { TransitionRecord } from '../../shared/wire/records.ts';
import { heldText, priceText } from '../signals/notes.ts';
import { COLUMNS } from './columns.ts';
import type { BriefingContext, SymbolSnapshot } from './context.ts';
import { type Block, type Draft, draftOf, type Section, sectionOf } from './draft.ts';
import {
  type Column,
  clockTime,
  fallText,
  list,
  listUpTo,
  longDay,
  orNone,
  points,
  regimeText,
  shortDay,
  signed,
} from './format.ts';
import { byRisk, fundsOf } from './measures.ts';
import { factors, ninetyDays, record } from './symbol-sections.ts';

/** An entry into High Risk, from the log, or from the closes for a time before the log. */
export type Entry = Pick<
  TransitionRecord,
  'symbol' | 'from_state' | 'confidence' | 'confidence_of' | 'regime' | 'note' | 'occurred_at' | 'held_by'
>;

/** An entry with the data of its symbol, where the context has it. */
interface Entered {
  readonly entry: Entry;
  readonly snapshot: SymbolSnapshot | undefined;
}

/** @param given entries of the same instant; not empty */
export function transition(context: BriefingContext, given: readonly Entry[]): Draft {
  const isLead = ({ symbol }: Entry): number => Number(symbol === context.lead.symbol);
  const rows = given
    .toSorted((a, b) => isLead(b) - isLead(a))
    .map(
      (entry): Entered => ({
        entry,
        snapshot: context.snapshots.find(({ symbol }) => symbol === entry.symbol),
      }),
    );
  const { entry: first } = rows[0] as Entered;
  const subject = rows.find(({ snapshot }) => snapshot !== undefined)?.snapshot ?? context.lead;
  const names = rows.map(({ entry }) => entry.symbol);
  const at = Date.parse(first.occurred_at);
  const [date, clock] = [first.occurred_at.slice(0, 10), clockTime(at)];
  const opening = `${listUpTo(names, 6)} went into High Risk on ${longDay(date)} at ${clock}.`;
  const chance = chanceText(rows[0] as Entered);
  const blocks: Block[] = [
    factors,
    (_context, one) => earlierEntries(one, at),
    () => others(context, names),
    ninetyDays,
    record,
  ];
  return draftOf({
    title: `${listUpTo(names, 2)} into High Risk, ${shortDay(date)}, ${clock}`,
    summary: `${opening} ${chance}`,
    lead: [opening, chance, `> ${first.note}`],
    sections: [entryTable(rows, at), ...blocks.map((block) => block(context, subject))],
    symbols: names,
  });
}

/** The base rate of what the entry's confidence is about; null where the snapshot's is about something else. */
const rateFor = ({ entry, snapshot }: Entered): number | null =>
  snapshot !== undefined && isSameClaim(entry, { confidence_of: snapshot.reading.claim }) ? snapshot.baseRate : null;

function chanceText(entered: Entered): string {
  const { symbol, confidence, confidence_of = 'event', held_by = 'none' } = entered.entry;
  if (confidence === null) return `There is no probability for ${symbol} yet.`;
  const baseRate = rateFor(entered);
  const held = heldText(2, held_by, confidence, baseRate);
  if (held !== '') return `${symbol}: ${held}`;
  const rate = baseRate === null ? '' : `, with a base rate of ${points(baseRate)}`;
  return `The chance of ${fallText(confidence_of)} on ${symbol} is ${points(confidence)}${rate}.`;
}

/** @param at instant of the entries, world ms */
function entryTable(rows: readonly Entered[], at: number): Section | null {
  const falling = rows.filter(({ entry }) => entry.confidence_of === 'further_fall').map(({ entry }) => entry.symbol);
  /** The day's change, where the last price is of the entry and not of the close before. */
  const dayOf = ({ change, forming, days }: SymbolSnapshot): string =>
    forming || days.at(-1)?.closedAt === at ? signed(change, 2) : 'n/a';
  const columns: Column<Entered>[] = [
    ['Symbol', ({ entry }) => entry.symbol],
    ['From', ({ entry }) => stateLabel(entry.from_state)],
    ['>Confidence', ({ entry }) => points(entry.confidence)],
    ['>Base rate', (entered) => points(rateFor(entered))],
    ['Regime', ({ entry }) => regimeText(entry.regime)],
    ['>Last price', ({ snapshot }) => orNone(snapshot ?? null, ({ price }) => priceText(price))],
    ['>Day', ({ snapshot }) => orNone(snapshot ?? null, dayOf)],
    ['>21 sessions', ({ snapshot }) => orNone(snapshot ?? null, COLUMNS.month[1])],
  ];
  return sectionOf(
    'Into High Risk',
    columns,
    rows.slice(0, 10),
    falling.length === 0 ? '' : `The confidence of ${list(falling)} is about ${fallText('further_fall')}.`,
  );
}

/** Earlier entries at closes of the past 90 days, and the prices after them. */
function earlierEntries({ symbol, days }: SymbolSnapshot, at: number): Section | null {
  const rows = days.flatMap((day, index) => {
    const before = days[index - 1];
    if (before === undefined || before.state === 2 || day.state !== 2 || day.closedAt >= at) return [];
    const later = days.slice(index + 1);
    const end = later.findIndex(({ state }) => state !== 2);
    return {
      ...{ date: day.reading.date, close: day.reading.close },
      after: later.slice(0, 21).map(({ reading }) => reading.close),
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
    ['>Closes in it', ({ sessions }) => String(sessions)],
  ];
  return sectionOf(`Earlier entries of ${symbol} at a close`, columns, rows.slice(-4));
}

/** The other funds in High Risk. */
function others(context: BriefingContext, names: readonly string[]): Section | null {
  const { symbol, price, drawdown, confidence, baseRate } = COLUMNS;
  const funds = fundsOf(context);
  const rows = byRisk(funds.filter((fund) => fund.state === 2 && !names.includes(fund.symbol)));
  return sectionOf(
    'Also in High Risk',
    [symbol, price, drawdown, confidence, baseRate],
    rows.slice(0, 6),
    `${rows.length} of the other ${funds.length - names.length} funds and indices.`,
  );
}
