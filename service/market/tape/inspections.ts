// Service, market, tape: inspects the symbols of a tape; after a change, only the affected ones.
import { dayStatus, type SessionCalendar, sessionClose } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import type { Steps } from '../../steps.ts';
import type { BarList } from '../bar-series.ts';
import type { Instrument } from '../types.ts';
import { InspectedSymbol } from './inspected-symbol.ts';
import type { Tape } from './tape.ts';

export interface TapeListing {
  readonly instrument: Instrument;
  readonly calendar: SessionCalendar;
}

interface UsedMove {
  readonly date: string;
  readonly sign: number;
  readonly size: number;
}

type MarketMove = (date: string, sign: number) => number;

/** The inputs of an inspection besides the bars. An inspection with equal inputs is reused. */
interface InspectionInputs {
  readonly actionsVersion: number;
  /** The market moves it used. */
  readonly moves: ReadonlyMap<string, UsedMove>;
}

/** Bars inspected between two turns of the event loop: some ms. */
const SLICE_BARS = 16_384;

const NONE: BarList = [];

export const canSplit = ({ assetClass }: Instrument): boolean => assetClass === 'equity' || assetClass === 'etf';

export class Inspections {
  readonly #tape: Tape;
  readonly #listings: ReadonlyMap<string, TapeListing>;
  #inputs: ReadonlyMap<string, InspectionInputs> = new Map();
  readonly #calendars = new Map<SessionCalendar, SessionDates>();
  #symbols: ReadonlyMap<string, InspectedSymbol> = new Map();
  #changes: readonly number[] = [];
  readonly #lists = new Map<string, { bars: BarList; actionsVersion: number; listed: BarList }>();
  #version = 0;
  readonly #reportsSplits: () => boolean;

  /** @param reportsSplits whether the source reports splits, so that its silence is evidence */
  constructor(tape: Tape, listings: ReadonlyMap<string, TapeListing>, reportsSplits: () => boolean) {
    this.#reportsSplits = reportsSplits;
    this.#tape = tape;
    this.#listings = listings;
  }

  /** Version of the tape at the last inspection. */
  get version(): number {
    return this.#version;
  }

  /** A new map after each inspection. */
  get symbols(): ReadonlyMap<string, InspectedSymbol> {
    return this.#symbols;
  }

  /** World ms of the instants at which past bars change, ascending. */
  get changes(): readonly number[] {
    return this.#changes;
  }

  /** Inspects some symbols per step; results are visible after the last step. */
  *inspectInSteps(): Steps<void> {
    const moves = new Map<SessionCalendar, MarketMoves>();
    let bars = 0;
    for (const [symbol, { calendar }] of this.#listings) {
      const market = moves.get(calendar) ?? new MarketMoves();
      moves.set(calendar, market);
      const own = this.#listed(symbol);
      market.add(own);
      bars += own.length;
      if (bars < SLICE_BARS) continue;
      bars = 0;
      yield;
    }
    const symbols = new Map<string, InspectedSymbol>();
    const inputs = new Map<string, InspectionInputs>();
    const changed: string[] = [];
    for (const [symbol, listing] of this.#listings) {
      const own = this.#listed(symbol);
      const market = moves.get(listing.calendar);
      if (own.length === 0) continue;
      const [one, on] = this.#inspectOne(symbol, listing, own, (date, sign) => market?.on(date, sign) ?? 0);
      if (hasChanged(this.#symbols.get(symbol), one)) changed.push(symbol);
      symbols.set(symbol, one);
      inputs.set(symbol, on);
      bars += one === this.#symbols.get(symbol) ? 0 : own.length;
      if (bars < SLICE_BARS) continue;
      bars = 0;
      yield { what: 'inspecting', done: symbols.size, total: this.#listings.size };
    }
    for (const symbol of changed) this.#tape.markChanged(symbol);
    this.#symbols = symbols;
    this.#inputs = inputs;
    this.#version = this.#tape.version();
    this.#changes = [...new Set([...symbols.values()].flatMap((one) => one.changes()))].sort((a, b) => a - b);
  }

  /** The listed bars of a symbol, cached until its bars or actions change. */
  #listed(symbol: string): BarList {
    const bars = this.#tape.bars.get(symbol) ?? NONE;
    const actionsVersion = this.#tape.actionsVersion(symbol);
    let known = this.#lists.get(symbol);
    if (known?.bars !== bars || known.actionsVersion !== actionsVersion) {
      known = { bars, actionsVersion: actionsVersion, listed: this.#tape.listed(symbol) ?? NONE };
      this.#lists.set(symbol, known);
    }
    return known.listed;
  }

  #inspectOne(
    symbol: string,
    { instrument, calendar }: TapeListing,
    bars: BarList,
    marketMove: MarketMove,
  ): [InspectedSymbol, InspectionInputs] {
    const actionsVersion = this.#tape.actionsVersion(symbol);
    const known = this.#symbols.get(symbol);
    const last = this.#inputs.get(symbol);
    if (known?.bars === bars && last?.actionsVersion === actionsVersion && areSame(last.moves, marketMove))
      return [known, last];
    const moves = new Map<string, UsedMove>();
    const dates = this.#datesOf(calendar);
    const inspected = new InspectedSymbol(bars, (date) => dates.close(date), {
      splits: canSplit(instrument),
      inputOnly: instrument.inputOnly,
      reportsSplits: this.#reportsSplits(),
      sessionsBetween: (from, to) => dates.between(from, to),
      marketMove(date, sign) {
        const size = marketMove(date, sign);
        moves.set(`${date} ${sign}`, { date, sign, size });
        return size;
      },
      barActions: (date, after) => this.#tape.barActions(symbol, date, after),
    });
    return [inspected, { actionsVersion: actionsVersion, moves }];
  }

  #datesOf(calendar: SessionCalendar): SessionDates {
    const dates = this.#calendars.get(calendar) ?? new SessionDates(calendar);
    this.#calendars.set(calendar, dates);
    return dates;
  }
}

/**
 * Whether bars that counted have changed: a late row may bring an adjustment known in the past, or make an
 * earlier bar stop counting.
 */
const hasChanged = (known: InspectedSymbol | undefined, one: InspectedSymbol): boolean =>
  known !== undefined && known !== one && (known.levels() !== one.levels() || !one.continues(known));

/** Whether the market's moves on these dates are unchanged. */
const areSame = (moves: ReadonlyMap<string, UsedMove>, marketMove: MarketMove): boolean =>
  [...moves.values()].every(({ date, sign, size }) => marketMove(date, sign) === size);

/** Maximum number of days searched for sessions; a longer gap counts as this one. */
const MAX_DAYS = 400;
/** Weekdays of the longest holidays: those of China until 2001. Only more of an unknown year are missing. */
const LONGEST_HOLIDAYS = 10;

class SessionDates {
  readonly #calendar: SessionCalendar;
  readonly #closes = new Map<string, number>();
  /** The last result of `between` for each `from`: mostly asked for the next bar. */
  readonly #between = new Map<string, { readonly to: string; readonly sessions: number }>();

  constructor(calendar: SessionCalendar) {
    this.#calendar = calendar;
  }

  /** World ms of the close of a date. */
  close(date: string): number {
    let close = this.#closes.get(date);
    if (close === undefined) {
      close = sessionClose(this.#calendar, date);
      this.#closes.set(date, close);
    }
    return close;
  }

  /** Sessions that were certain between two dates, both excluded. */
  between(from: string, to: string): number {
    const known = this.#between.get(from);
    if (known?.to === to) return known.sessions;
    const count = { open: 0, closed: 0, expected_closed: 0, unknown: 0 };
    const [first, last] = [Date.parse(from), Date.parse(to)];
    for (let at = first + DAY_MS, days = 0; at < last && days < MAX_DAYS; at += DAY_MS, days++)
      count[dayStatus(this.#calendar, dateOf(at))] += 1;
    const sessions = count.open + (count.unknown > LONGEST_HOLIDAYS ? count.unknown : 0);
    this.#between.set(from, { to, sessions });
    return sessions;
  }
}

// Large moves of many symbols confirm a large move of one.
/** Smallest large move, in usual moves. */
const MOVED = 3;
/**
 * Minimum number of other moved symbols, and their share of the symbols trading that day or the session
 * before.
 */
const FEWEST = 2;
const SHARE = 0.2;
const DECAY = 0.97;
const FIRST_BARS = 20;
/** Maximum number of days between two sessions: weekends with holidays. */
const LONGEST_BREAK = 7;

/** Number and sum of the large moves in one direction, in usual moves. */
interface Moved {
  count: number;
  sum: number;
}

interface Day {
  traded: number;
  readonly down: Moved;
  readonly up: Moved;
}

class MarketMoves {
  readonly #days = new Map<string, Day>();

  /** Adds the bars of one symbol, oldest first. */
  add(bars: BarList): void {
    let [variance, before, index] = [Number.NaN, Number.NaN, -1];
    for (const bar of bars) {
      index += 1;
      const move = Math.log(bar.close / before);
      before = bar.close;
      if (index === 0) continue;
      const size = index > FIRST_BARS ? Math.abs(move) / Math.sqrt(variance) : 0;
      const day = this.#days.get(bar.date) ?? { traded: 0, down: { count: 0, sum: 0 }, up: { count: 0, sum: 0 } };
      this.#days.set(bar.date, day);
      day.traded += 1;
      // A fault in one symbol must not confirm a fault in another.
      if (size > MOVED && Math.abs(move) < FAULTY) {
        const moved = move < 0 ? day.down : day.up;
        moved.count += 1;
        moved.sum += size;
      }
      const square = Math.min(move * move, FAULTY * FAULTY);
      variance = Number.isNaN(variance) ? square : DECAY * variance + (1 - DECAY) * square;
    }
  }

  /** Mean of the large moves of a date in the direction of a sign, in usual moves; 0 if few others moved. */
  on(date: string, sign: number): number {
    const day = this.#days.get(date);
    if (day === undefined) return 0;
    const { count, sum } = sign < 0 ? day.down : day.up;
    // Rows of a day come one after another; the missing symbols may not have moved.
    const traded = Math.max(day.traded, this.#tradedBefore(date));
    // The symbol in question is one of those that moved.
    return count - 1 < Math.max(FEWEST, SHARE * (traded - 1)) ? 0 : sum / count;
  }

  /** Symbols traded in the session before a date; 0: no session within LONGEST_BREAK. */
  #tradedBefore(date: string): number {
    const at = Date.parse(date);
    for (let days = 1; days <= LONGEST_BREAK; days++) {
      const before = this.#days.get(dateOf(at - days * DAY_MS));
      if (before !== undefined) return before.traded;
    }
    return 0;
  }
}

/** Logarithm of the smallest ignored move: rather a split than a market move. */
const FAULTY = Math.log(1.4);
