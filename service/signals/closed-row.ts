// Service, signals: the closed days of one symbol in columns.
// Columns take much less memory and garbage collection than objects. A row reads its numbers on access: from
// memory, or from the file to which older rows go.
import { CLAIMS, type Claim } from '../../shared/domain/claims.ts';
import { FACTOR_CODES, type Powers } from '../../shared/domain/factors.ts';
import { REGIMES, type Regime } from '../../shared/domain/regimes.ts';
import type { State } from '../../shared/domain/states.ts';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import { RULE_PARTS, type RulePart } from '../engine/state-rule.ts';
import type { Bar, Reading } from '../engine/types.ts';

/** Range and volume of a session day. */
export interface DayTrading {
  /** null if the source has closes only. */
  readonly range: { readonly open: number; readonly high: number; readonly low: number } | null;
  readonly volume: number | null;
}

/** One closed session day. */
export interface ClosedRow {
  /** World ms. */
  readonly closedAt: number;
  readonly reading: Reading;
  readonly trading: DayTrading;
}

/** A bar with a single price has no range: its source has closes only, or the price did not move. */
export const tradingOf = ({ open, high, low, volume }: Bar): DayTrading => ({
  range: high > low ? { open, high, low } : null,
  volume,
});

/** Position of each number of a row; NaN is null. */
const AT = {
  close: 0,
  state: 1,
  probability: 2,
  confidence: 3,
  baseRate: 4,
  drawdown: 5,
  breach: 6,
  regime: 7,
  claim: 8,
  rule: 9,
  withheld: 10,
  open: 11,
  high: 12,
  low: 13,
  volume: 14,
} as const;
const REGIME_SHARES = 15;
const POWERS = REGIME_SHARES + REGIMES.length;
const CONTRIBUTIONS = POWERS + FACTOR_CODES.length;
const WIDTH = CONTRIBUTIONS + FACTOR_CODES.length;
/** Rows of a block. */
const ROWS = 32;
/** Two years of calendar days (factor history) and a margin, after the oldest block was dropped. */
const RETAINED_BLOCKS = 26;
/** Symbols whose rows are kept as an array: those that one answer compares, as a briefing of the sandbox does. */
const MADE = 64;

/** Keeps blocks of older rows outside of memory. */
export interface RowStore {
  /**
   * Stores a copy of a block.
   * @param over id of a block that is no longer needed, in whose place it may be; null: none
   * @returns its id; null: it cannot be stored
   */
  write(numbers: Float64Array, over: number | null): number | null;
  /** The block of an id; valid until the next call. @throws Error if it cannot be read */
  read(id: number): Float64Array;
}

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Rows that follow each other: their numbers are in memory, or in the store. */
class RowBlock {
  #numbers: Float64Array | null;
  #id: number | null = null;
  readonly #store: RowStore | null;

  /** @param content the numbers, or the id of a stored block */
  constructor(content: Float64Array | number, store: RowStore | null) {
    this.#store = store;
    this.#numbers = typeof content === 'number' ? null : content;
    if (typeof content === 'number') this.#id = content;
  }

  get numbers(): Float64Array {
    return this.#numbers ?? this.#stored();
  }

  get content(): Float64Array | number {
    return this.#id ?? this.numbers;
  }

  /**
   * Moves the numbers to the store.
   * @param dropped a block that is no longer needed; null: none
   * @returns the memory that became free, of this one or of the dropped; or null
   */
  release(dropped: RowBlock | null): Float64Array | null {
    const numbers = this.#numbers;
    this.#id ??= numbers === null ? null : (this.#store?.write(numbers, dropped === null ? null : dropped.#id) ?? null);
    if (this.#id === null) return dropped === null ? null : dropped.#numbers;
    this.#numbers = null;
    return numbers;
  }

  #stored(): Float64Array {
    if (this.#store === null || this.#id === null) throw new Error('a block of rows has no numbers');
    return this.#store.read(this.#id);
  }
}

/** A closed day, which is also its own reading. */
class StoredRow implements ClosedRow, Reading {
  readonly date: string;
  readonly closedAt: number;
  readonly #block: RowBlock;
  readonly #index: number;

  constructor(date: string, closedAt: number, block: RowBlock, index: number) {
    this.date = date;
    this.closedAt = closedAt;
    this.#block = block;
    this.#index = index;
  }

  get reading(): Reading {
    return this;
  }
  get close(): number {
    return this.#at(AT.close);
  }
  get state(): State {
    return this.#at(AT.state) as State;
  }
  get probability(): number | null {
    return orNull(this.#at(AT.probability));
  }
  get confidence(): number | null {
    return orNull(this.#at(AT.confidence));
  }
  get baseRate(): number | null {
    return orNull(this.#at(AT.baseRate));
  }
  get drawdownFraction(): number | null {
    return orNull(this.#at(AT.drawdown));
  }
  get breachLevel(): number | null {
    return orNull(this.#at(AT.breach));
  }
  get claim(): Claim {
    return CLAIMS[this.#at(AT.claim)] as Claim;
  }
  get trading(): DayTrading {
    const open = this.#at(AT.open);
    return {
      range: Number.isNaN(open) ? null : { open, high: this.#at(AT.high), low: this.#at(AT.low) },
      volume: orNull(this.#at(AT.volume)),
    };
  }
  get isWithheld(): boolean {
    return this.#at(AT.withheld) === 1;
  }
  get rule(): RulePart | null {
    return RULE_PARTS[this.#at(AT.rule)] ?? null;
  }
  get regime(): Regime | null {
    return REGIMES[this.#at(AT.regime)] ?? null;
  }
  get regimeProbabilities(): Readonly<Record<Regime, number>> | null {
    if (Number.isNaN(this.#at(REGIME_SHARES))) return null;
    const shares: Partial<Record<Regime, number>> = {};
    for (const [index, regime] of REGIMES.entries()) shares[regime] = this.#at(REGIME_SHARES + index);
    return shares as Record<Regime, number>;
  }
  get powers(): Powers {
    return this.#dimensions(POWERS);
  }
  get contributions(): Powers {
    return this.#dimensions(CONTRIBUTIONS);
  }

  #at(column: number): number {
    return this.#block.numbers[this.#index * WIDTH + column] as number;
  }

  #dimensions(first: number): Powers {
    const powers: Partial<Record<keyof Powers, number | null>> = {};
    for (const [index, code] of FACTOR_CODES.entries()) powers[code] = orNull(this.#at(first + index));
    return powers as Powers;
  }
}

function writeRow(numbers: Float64Array, from: number, { reading, trading: { range, volume } }: ClosedRow): void {
  numbers[from + AT.close] = reading.close;
  numbers[from + AT.state] = reading.state;
  numbers[from + AT.probability] = reading.probability ?? Number.NaN;
  numbers[from + AT.confidence] = reading.confidence ?? Number.NaN;
  numbers[from + AT.baseRate] = reading.baseRate ?? Number.NaN;
  numbers[from + AT.drawdown] = reading.drawdownFraction ?? Number.NaN;
  numbers[from + AT.breach] = reading.breachLevel ?? Number.NaN;
  numbers[from + AT.regime] = reading.regime === null ? -1 : REGIMES.indexOf(reading.regime);
  numbers[from + AT.claim] = CLAIMS.indexOf(reading.claim);
  numbers[from + AT.withheld] = reading.isWithheld ? 1 : 0;
  numbers[from + AT.open] = range?.open ?? Number.NaN;
  numbers[from + AT.high] = range?.high ?? Number.NaN;
  numbers[from + AT.low] = range?.low ?? Number.NaN;
  numbers[from + AT.volume] = volume ?? Number.NaN;
  numbers[from + AT.rule] = reading.rule === null ? -1 : RULE_PARTS.indexOf(reading.rule);
  for (let i = 0; i < REGIMES.length; i++)
    numbers[from + REGIME_SHARES + i] = reading.regimeProbabilities?.[REGIMES[i] as Regime] ?? Number.NaN;
  for (let i = 0; i < FACTOR_CODES.length; i++) {
    const code = FACTOR_CODES[i] as keyof Powers;
    numbers[from + POWERS + i] = reading.powers[code] ?? Number.NaN;
    numbers[from + CONTRIBUTIONS + i] = reading.contributions[code] ?? Number.NaN;
  }
}

/** Rows of one symbol as a value; the blocks, oldest first, as numbers or as ids in the store. */
export interface SavedRows {
  /** Session days since 1970. */
  readonly days: Int32Array;
  /** World ms. */
  readonly closesAt: Float64Array;
  readonly blocks: readonly (Float64Array | number)[];
}

/**
 * The newest closed days of one symbol: at least two years, if there are as many. With a store, only the
 * numbers of the newest 32 to 64 are in memory. A row is valid until its block leaves memory or the store.
 */
export class ClosedRows {
  /** The newest rows, at least 32 if there are as many; oldest first. */
  readonly recent: ClosedRow[] = [];
  /** Instants and dates of all rows are in memory, because searches read them; see `SavedRows`. */
  readonly #closesAt = new Float64Array(RETAINED_BLOCKS * ROWS);
  readonly #days = new Int32Array(RETAINED_BLOCKS * ROWS);
  #count = 0;
  readonly #blocks: RowBlock[] = [];
  readonly #store: RowStore | null;
  #all: readonly ClosedRow[] | null = null;
  /**
   * Those that have `all`, the oldest first. A few: they take 60 kB each. Weak references would keep all of
   * them until their job ends, and the first week of a service is one job.
   */
  static readonly #made = new Set<ClosedRows>();

  constructor(store: RowStore | null = null, saved: SavedRows | null = null) {
    this.#store = store;
    if (saved === null) return;
    this.#closesAt.set(saved.closesAt);
    this.#days.set(saved.days);
    this.#count = saved.days.length;
    for (const content of saved.blocks)
      this.#blocks.push(new RowBlock(typeof content === 'number' ? content : content.slice(), store));
    this.recent.push(...this.#rowsFrom(Math.max(0, this.#blocks.length - 2) * ROWS, this.#count));
  }

  /** All rows, oldest first; made when they are asked for. */
  get all(): readonly ClosedRow[] {
    if (this.#all !== null) return this.#all;
    const made = ClosedRows.#made;
    // Once each: an entry of an earlier making would drop what was made since.
    made.delete(this);
    made.add(this);
    const [oldest] = made;
    if (made.size > MADE && oldest !== undefined) {
      oldest.#all = null;
      made.delete(oldest);
    }
    this.#all = [...this.#rowsFrom(0, this.#count - this.recent.length), ...this.recent];
    return this.#all;
  }

  /** Adds a copy of the row. */
  push(closed: ClosedRow): void {
    const index = this.#count % ROWS;
    const block = (index === 0 ? null : this.#blocks.at(-1)) ?? this.#begin();
    writeRow(block.numbers, index * WIDTH, closed);
    const { closedAt, reading } = closed;
    this.#closesAt[this.#count] = closedAt;
    this.#days[this.#count] = Date.parse(reading.date) / DAY_MS;
    this.#count += 1;
    this.recent.push(new StoredRow(reading.date, closedAt, block, index));
    this.#all = null;
  }

  /** Ids of the blocks in the store. */
  storedBlocks(): number[] {
    return this.#blocks.flatMap(({ content }) => (typeof content === 'number' ? content : []));
  }

  save(): SavedRows {
    return {
      days: this.#days.slice(0, this.#count),
      closesAt: this.#closesAt.slice(0, this.#count),
      blocks: this.#blocks.map(({ content }) => content),
    };
  }

  /** Begins a block, in the memory of one that is no longer needed there. */
  #begin(): RowBlock {
    const oldest = (this.#blocks.length === RETAINED_BLOCKS ? this.#blocks.shift() : null) ?? null;
    if (oldest !== null) {
      this.#closesAt.copyWithin(0, ROWS);
      this.#days.copyWithin(0, ROWS);
      this.#count -= ROWS;
    }
    const released = this.#blocks.at(-2)?.release(oldest);
    if (this.#blocks.length > 1) this.recent.splice(0, ROWS);
    const block = new RowBlock(released ?? new Float64Array(ROWS * WIDTH), this.#store);
    this.#blocks.push(block);
    return block;
  }

  *#rowsFrom(from: number, to: number): Generator<ClosedRow> {
    for (let index = from; index < to; index++) {
      const date = dateOf((this.#days[index] as number) * DAY_MS);
      const block = this.#blocks[Math.floor(index / ROWS)] as RowBlock;
      yield new StoredRow(date, this.#closesAt[index] as number, block, index % ROWS);
    }
  }
}
