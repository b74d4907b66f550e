// Service, market, tape: inspects the symbols of a tape; after a change, only what it affects.
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { Bar } from '../../engine/types.ts';
import type { Instrument } from '../types.ts';
import { InspectedSymbol } from './inspected-symbol.ts';
import { MarketMoves } from './market-moves.ts';
import { SessionDates } from './session-dates.ts';
import type { Tape } from './tape.ts';

export interface TapeListing {
  readonly instrument: Instrument;
  readonly calendar: SessionCalendar;
}

/** What an inspection depends on besides the bars: while that is the same, so is the inspection. */
interface Basis {
  readonly rulings: number;
  /** Moves of the market that it asked for, by date. */
  readonly moves: ReadonlyMap<string, number>;
}

export const canSplit = ({ assetClass }: Instrument): boolean => assetClass === 'equity' || assetClass === 'etf';

export class Inspections {
  readonly #tape: Tape;
  readonly #listings: ReadonlyMap<string, TapeListing>;
  readonly #basis = new Map<string, Basis>();
  readonly #calendars = new Map<SessionCalendar, SessionDates>();
  #symbols: ReadonlyMap<string, InspectedSymbol> = new Map();
  #changes: readonly number[] = [];

  constructor(tape: Tape, listings: ReadonlyMap<string, TapeListing>) {
    this.#tape = tape;
    this.#listings = listings;
    this.inspect();
  }

  /** Another map after each inspection. */
  get symbols(): ReadonlyMap<string, InspectedSymbol> {
    return this.#symbols;
  }

  /** World ms of all instants at which bars of the past change, ascending. */
  get changes(): readonly number[] {
    return this.#changes;
  }

  inspect(): void {
    const moves = marketMoves(this.#tape, this.#listings);
    const symbols = new Map<string, InspectedSymbol>();
    for (const [symbol, listing] of this.#listings) {
      const bars = this.#tape.bars.get(symbol);
      const market = moves.get(listing.calendar);
      if (bars !== undefined)
        symbols.set(
          symbol,
          this.#inspectOne(symbol, listing, bars, (date) => market?.on(date) ?? 0),
        );
    }
    this.#symbols = symbols;
    this.#changes = [...new Set([...symbols.values()].flatMap((one) => one.changes()))].sort((a, b) => a - b);
  }

  #inspectOne(
    symbol: string,
    { instrument, calendar }: TapeListing,
    bars: readonly Bar[],
    marketMove: (date: string) => number,
  ): InspectedSymbol {
    const rulings = this.#tape.rulingsVersion();
    const known = this.#symbols.get(symbol);
    const last = this.#basis.get(symbol);
    if (known?.bars === bars && last?.rulings === rulings && areSame(last.moves, marketMove)) return known;
    const moves = new Map<string, number>();
    const dates = this.#datesOf(calendar);
    const inspected = new InspectedSymbol(bars, (date) => dates.close(date), {
      splits: canSplit(instrument),
      sessionsBetween: (from, to) => dates.between(from, to),
      marketMove(date) {
        const move = marketMove(date);
        moves.set(date, move);
        return move;
      },
      ruling: (date) => this.#tape.ruling(symbol, date),
    });
    this.#basis.set(symbol, { rulings, moves });
    // Rows come after their close, so that the instant at which a change of level was known may have passed.
    if (known !== undefined && known.levels() !== inspected.levels()) this.#tape.derivedAnew(symbol);
    return inspected;
  }

  #datesOf(calendar: SessionCalendar): SessionDates {
    const dates = this.#calendars.get(calendar) ?? new SessionDates(calendar);
    this.#calendars.set(calendar, dates);
    return dates;
  }
}

/** Whether the market moved on the dates that were asked about as it did then. */
function areSame(moves: ReadonlyMap<string, number>, marketMove: (date: string) => number): boolean {
  for (const [date, move] of moves) if (marketMove(date) !== move) return false;
  return true;
}

function marketMoves(tape: Tape, listings: ReadonlyMap<string, TapeListing>): Map<SessionCalendar, MarketMoves> {
  const moves = new Map<SessionCalendar, MarketMoves>();
  for (const [symbol, { calendar }] of listings) {
    const market = moves.get(calendar) ?? new MarketMoves();
    moves.set(calendar, market);
    market.add(tape.bars.get(symbol) ?? []);
  }
  return moves;
}
