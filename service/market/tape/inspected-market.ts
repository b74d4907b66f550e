// Service, market, tape: the market that a tape gives: closed bars as they are known at each instant. Pure in time for
// an unchanged tape.
import { nextClose, type SessionCalendar } from '../../../shared/domain/sessions.ts';
import { dateOf } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import type { ChangingPast, ClosedDay, Instrument, PriceFault } from '../types.ts';
import { evidenceAgainst } from './evidence.ts';
import { gapText, quarantineText } from './fault-text.ts';
import { InspectedSymbol } from './inspected-symbol.ts';
import { MarketMoves } from './market-moves.ts';
import { SessionDates } from './session-dates.ts';
import type { Tape } from './tape.ts';

export interface TapeListing {
  readonly instrument: Instrument;
  readonly calendar: SessionCalendar;
}

/** A finding about one bar. */
export interface Finding {
  readonly symbol: string;
  readonly date: string;
  readonly kind: 'quarantine' | 'gap';
  readonly note: string;
}

export interface InspectedMarket {
  /** Inspects the bars again, after the tape changed. */
  inspect(): void;
  /** Everything found in all bars, in order of symbol and date. */
  findings(): Finding[];
  closedDays(after: (symbol: string) => string | null, now: number): Iterable<ClosedDay>;
  nextClose(symbol: string, now: number): number | null;
  fault(symbol: string, now: number): PriceFault | null;
  /** The bars of a symbol that count at `now`, oldest first. */
  daily(symbol: string, now: number): readonly Bar[];
  /** Whether the day in progress looks like a split, or is a spike that nothing but its last price says. */
  isSuspect(symbol: string, forming: Bar, now: number): 'jump' | 'spike' | null;
  readonly revisions: ChangingPast;
}

export function createInspectedMarket(tape: Tape, listings: ReadonlyMap<string, TapeListing>): InspectedMarket {
  let symbols = new Map<string, InspectedSymbol>();
  /** World ms of all instants at which bars of the past change, ascending. */
  let changes: number[] = [];
  const none: readonly Bar[] = [];
  /** What an inspection depends on besides the bars: while that is the same, so is the inspection. */
  const basis = new Map<string, { readonly rulings: number; readonly asked: ReadonlyMap<string, number> }>();
  const calendars = new Map<SessionCalendar, SessionDates>();
  const datesOf = (calendar: SessionCalendar): SessionDates => {
    const dates = calendars.get(calendar) ?? new SessionDates(calendar);
    calendars.set(calendar, dates);
    return dates;
  };

  const inspectAll = (): void => {
    const moves = marketMoves(tape, listings);
    const rulings = tape.rulingsVersion();
    const before = symbols;
    symbols = new Map();
    for (const [symbol, { instrument, calendar }] of listings) {
      const bars = tape.bars.get(symbol);
      if (bars === undefined) continue;
      const marketMove = (date: string): number => moves.get(calendar)?.on(date) ?? 0;
      const known = before.get(symbol);
      const last = basis.get(symbol);
      if (known?.bars === bars && last?.rulings === rulings && isSame(last.asked, marketMove)) {
        symbols.set(symbol, known);
        continue;
      }
      const asked = new Map<string, number>();
      const dates = datesOf(calendar);
      const inspected = new InspectedSymbol(bars, (date) => dates.close(date), {
        splits: instrument.assetClass === 'equity' || instrument.assetClass === 'etf',
        sessionsBetween: (from, to) => dates.between(from, to),
        marketMove(date) {
          const move = marketMove(date);
          asked.set(date, move);
          return move;
        },
        ruling: (date) => tape.ruling(symbol, date),
      });
      basis.set(symbol, { rulings, asked });
      symbols.set(symbol, inspected);
      // Rows come after their close, so that the instant at which a change of level was known may have passed.
      if (known !== undefined && known.levels() !== inspected.levels()) tape.derivedAnew(symbol);
    }
    changes = [...new Set([...symbols.values()].flatMap((one) => one.changes()))].sort((a, b) => a - b);
  };
  inspectAll();

  return {
    inspect: inspectAll,
    findings: () => [...symbols].flatMap(([symbol, inspected]) => findingsOf(symbol, inspected)),

    *closedDays(after, now) {
      // The tape may change before the last of them is read.
      const present = symbols;
      const from = new Map([...present.keys()].map((symbol) => [symbol, after(symbol) ?? '']));
      const dates = [...present].flatMap(([symbol, one]) => one.datesAfter(from.get(symbol) ?? '') ?? []);
      const [first, last] = [
        Math.min(...dates.map(([date]) => yearOf(date))),
        Math.max(...dates.map(([, date]) => yearOf(date))),
      ];
      // A year at a time, so that whoever reads all of them can let others have their turn.
      for (let year = first; year <= last; year++) yield* closedIn(year, present, from, now);
    },

    nextClose(symbol, now) {
      const listed = listings.get(symbol);
      if (listed === undefined) return null;
      return symbols.get(symbol)?.nextClose(now) ?? nextClose(listed.calendar, now);
    },

    fault(symbol, now) {
      const inspected = symbols.get(symbol);
      const status = tape.status(symbol, dateOf(now));
      if (status?.kind === 'delisting')
        return { kind: 'unlisted', reason: `${symbol} trades no longer since ${status.date}${noteOf(status.note)}` };
      if (status?.kind === 'halt')
        return { kind: 'halted', reason: `Trading in ${symbol} is halted since ${status.date}${noteOf(status.note)}` };
      if (inspected === undefined) return null;
      const held = inspected.quarantine(now);
      if (held !== null) {
        const found = { ...held.quarantine, outcome: null };
        return { kind: 'quarantined', reason: quarantineText(symbol, held.bar.date, found, null) ?? '' };
      }
      const hole = inspected.gap(now);
      return hole === null ? null : { kind: 'gap', reason: gapText(symbol, hole.bar.date, hole.gap.sessions) };
    },

    daily: (symbol, now) => symbols.get(symbol)?.daily(now) ?? none,

    isSuspect(symbol, forming, now) {
      const inspected = symbols.get(symbol);
      const before = inspected?.daily(now).at(-1);
      const assetClass = listings.get(symbol)?.instrument.assetClass;
      if (inspected === undefined || before === undefined) return null;
      const context = {
        usual: inspected.usual(now),
        splits: assetClass === 'equity' || assetClass === 'etf',
        sessions: 1,
        marketMove: () => 0,
      };
      const found = evidenceAgainst(before, forming, context);
      // Part of a day has part of its volume, so a small one says nothing.
      const withoutVolume = found === null ? null : evidenceAgainst(before, { ...forming, volume: null }, context);
      if (found === null || withoutVolume === null) return null;
      return withoutVolume.kind === 'spike' ? 'spike' : 'jump';
    },

    revisions: {
      version: () => tape.version(),
      changedSince: (version) => tape.changedSince(version),
      nextChange: (from, to) => changes.find((at) => at > from && at <= to) ?? null,
    },
  };
}

/** Whether the market moved on the dates that were asked about as it did then. */
function isSame(asked: ReadonlyMap<string, number>, marketMove: (date: string) => number): boolean {
  for (const [date, move] of asked) if (marketMove(date) !== move) return false;
  return true;
}

interface Part {
  readonly at: number;
  readonly date: string;
  readonly closesAt: Map<string, number>;
  readonly bars: Map<string, Bar>;
}

const yearOf = (date: string): number => Number(date.slice(0, 4));

/** The closed days of one year, in order of closing: no close of its dates is after one of the next year's. */
function closedIn(
  year: number,
  symbols: ReadonlyMap<string, InspectedSymbol>,
  from: ReadonlyMap<string, string>,
  now: number,
): ClosedDay[] {
  const parts = new Map<string, Part>();
  const [eve, end] = [`${year - 1}-12-31`, `${year}-12-31`];
  for (const [symbol, inspected] of symbols) {
    const last = from.get(symbol) ?? '';
    for (const { bar, closedAt } of inspected.known([last, eve].toSorted()[1] ?? eve, end, now)) {
      const key = `${closedAt} ${bar.date}`;
      let part = parts.get(key);
      if (part === undefined) {
        part = { at: closedAt, date: bar.date, closesAt: new Map(), bars: new Map() };
        parts.set(key, part);
      }
      part.closesAt.set(symbol, closedAt);
      part.bars.set(symbol, bar);
    }
  }
  return [...parts.values()].sort((a, b) => a.at - b.at || (a.date < b.date ? -1 : 1));
}

const noteOf = (note: string | null): string => (note === null ? '' : `: ${note}`);

function marketMoves(tape: Tape, listings: ReadonlyMap<string, TapeListing>): Map<SessionCalendar, MarketMoves> {
  const moves = new Map<SessionCalendar, MarketMoves>();
  for (const [symbol, { calendar }] of listings) {
    const market = moves.get(calendar) ?? new MarketMoves();
    moves.set(calendar, market);
    market.add(tape.bars.get(symbol) ?? []);
  }
  return moves;
}

function findingsOf(symbol: string, { bars, inspection }: InspectedSymbol): Finding[] {
  const dateAt = (index: number): string => (bars[index] as Bar).date;
  const found: Finding[] = [];
  for (const quarantine of inspection.quarantines) {
    const date = dateAt(quarantine.from);
    const by = quarantine.until === null ? null : dateAt(quarantine.until);
    const note = quarantineText(symbol, date, quarantine, by);
    if (note !== null) found.push({ symbol, date, kind: 'quarantine', note });
  }
  for (const { index, sessions } of inspection.gaps)
    found.push({ symbol, date: dateAt(index), kind: 'gap', note: gapText(symbol, dateAt(index), sessions) });
  return found.sort((a, b) => (a.date < b.date ? -1 : 1));
}
