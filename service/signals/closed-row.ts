// Service, signals: the closed days of one symbol in columns.
// Columns take much less memory and garbage collection than objects. A row reads its numbers on access.
import { CLAIMS, type Claim } from '../../shared/domain/claims.ts';
import { FACTOR_CODES, type Powers } from '../../shared/domain/factors.ts';
import { REGIMES, type Regime } from '../../shared/domain/regimes.ts';
import type { State } from '../../shared/domain/states.ts';
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
  closedAt: 0,
  close: 1,
  state: 2,
  probability: 3,
  confidence: 4,
  baseRate: 5,
  drawdown: 6,
  breach: 7,
  regime: 8,
  claim: 9,
  rule: 10,
  withheld: 11,
  open: 12,
  high: 13,
  low: 14,
  volume: 15,
} as const;
const REGIME_SHARES = 16;
const POWERS = REGIME_SHARES + REGIMES.length;
const CONTRIBUTIONS = POWERS + FACTOR_CODES.length;
const WIDTH = CONTRIBUTIONS + FACTOR_CODES.length;
/** Rows per block of memory. */
const ROWS = 64;

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** A closed day, which is also its own reading. */
class StoredRow implements ClosedRow, Reading {
  date = '';
  readonly #numbers: Float64Array;
  readonly #from: number;

  constructor(numbers: Float64Array, from: number) {
    this.#numbers = numbers;
    this.#from = from;
  }

  get reading(): Reading {
    return this;
  }
  get closedAt(): number {
    return this.#at(AT.closedAt);
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

  write({ closedAt, reading, trading: { range, volume } }: ClosedRow): void {
    const numbers = this.#numbers;
    const from = this.#from;
    this.date = reading.date;
    numbers[from + AT.closedAt] = closedAt;
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

  #at(column: number): number {
    return this.#numbers[this.#from + column] as number;
  }

  #dimensions(first: number): Powers {
    const powers: Partial<Record<keyof Powers, number | null>> = {};
    for (const [index, code] of FACTOR_CODES.entries()) powers[code] = orNull(this.#at(first + index));
    return powers as Powers;
  }
}

/**
 * Stores rows of one symbol. A row is valid until `readable` newer rows are stored; then its memory is
 * reused. Otherwise reading years of history would produce several times the retained memory as garbage.
 */
export class RowBuffer {
  readonly #rows: StoredRow[] = [];
  readonly #most: number;
  #block = new Float64Array(0);
  #written = 0;

  constructor(readable: number) {
    this.#most = ROWS * Math.ceil((readable + 1) / ROWS);
  }

  /** @returns the stored copy of the row */
  keep(closed: ClosedRow): ClosedRow {
    const row = this.#rows[this.#written % this.#most] ?? this.#more();
    this.#written += 1;
    row.write(closed);
    return row;
  }

  #more(): StoredRow {
    const from = this.#rows.length % ROWS;
    if (from === 0) this.#block = new Float64Array(ROWS * WIDTH);
    const row = new StoredRow(this.#block, from * WIDTH);
    this.#rows.push(row);
    return row;
  }
}
