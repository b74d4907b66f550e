// Pure: the positions of lists and what is at stake in them: the book, and the risk line of a list.
import { z } from 'zod';
import { chanceOf, type FallRow, fallChance } from './fall-chance.ts';
import { SYMBOL_PATTERN } from './instruments.ts';
import type { State } from './states.ts';

export const MAX_HOLDINGS = 2000;
/** weight: a share or an amount of money. quantity: shares or coins, which the price weighs. */
export const HOLDING_UNITS = ['weight', 'quantity'] as const;
export const CURRENCY_PATTERN = /^[A-Z]{3}$/;
const PositionSchema = z.strictObject({
  symbol: z.string().regex(SYMBOL_PATTERN),
  amount: z.number().positive().max(1e15),
  /** Paid for one, in `currency`; absent: not entered. */
  cost: z.number().nonnegative().max(1e15).optional(),
  /** The currency of its price; absent: not entered. Money of two currencies is never added. */
  currency: z.string().regex(CURRENCY_PATTERN).optional(),
});
export const HoldingsSchema = z.strictObject({
  unit: z.enum(HOLDING_UNITS),
  rows: z
    .array(PositionSchema)
    .max(MAX_HOLDINGS)
    .refine((rows) => new Set(rows.map(({ symbol }) => symbol)).size === rows.length, 'a symbol is held once'),
});
export type Holdings = z.infer<typeof HoldingsSchema>;
type PositionRow = Holdings['rows'][number];

/** The fields of a watchlist row that the risk needs. */
export interface RiskRow extends FallRow {
  readonly quote?: { readonly price: number; readonly old: boolean } | undefined;
}
type RowOf = (symbol: string) => RiskRow | undefined;

/** A symbol that is held. */
export interface Position extends PositionRow {
  readonly unit: Holdings['unit'];
  /** Its share of all weights, 0..1; null: a quantity, whose share depends on prices. */
  readonly weight: number | null;
  /** The positions whose money adds up with its own: those of its list in its currency, itself included. */
  readonly peers: readonly PositionRow[];
  /** The book has positions in other currencies too. */
  readonly hasForeign: boolean;
}

export type HoldingLists = readonly { readonly holdings?: Holdings | undefined }[];
const books = new WeakMap<HoldingLists, ReadonlyMap<string, Position>>();

/**
 * The position of each held symbol. Lists may repeat one: the largest counts, a quantity before a weight.
 * The same map for the same array.
 */
export function bookOf(lists: HoldingLists): ReadonlyMap<string, Position> {
  const known = books.get(lists);
  if (known !== undefined) return known;
  const book = new Map<string, Position>();
  const quantities = lists.flatMap(({ holdings }) => (holdings?.unit === 'quantity' ? holdings.rows : []));
  const hasForeign = new Set(quantities.map(({ currency }) => currency)).size > 1;
  for (const { holdings } of lists) {
    if (holdings === undefined) continue;
    const { unit, rows } = holdings;
    const total = rows.reduce((sum, { amount }) => sum + amount, 0);
    for (const peers of byCurrency(holdings))
      for (const row of peers) {
        const weight = unit === 'weight' ? row.amount / total : null;
        const position: Position = { ...row, unit, weight, peers, hasForeign };
        const other = book.get(row.symbol);
        if (other === undefined || isLarger(position, other)) book.set(row.symbol, position);
      }
  }
  books.set(lists, book);
  return book;
}

const isLarger = (a: Position, b: Position): boolean =>
  a.unit === b.unit ? (a.weight ?? a.amount) > (b.weight ?? b.amount) : a.unit === 'quantity';

/** The positions by currency, the most first; weights are one group. */
function byCurrency({ unit, rows }: Holdings): readonly (readonly PositionRow[])[] {
  if (unit === 'weight') return [rows];
  return [...Map.groupBy(rows, ({ currency }) => currency ?? '').values()].sort((a, b) => b.length - a.length);
}

const priceOf = (row: RiskRow | undefined): number | null => row?.signal?.price ?? row?.quote?.price ?? null;

/** What a fall costs the holder: money, or percent of the book where only weights are known. */
export interface FallCost {
  readonly unit: 'money' | 'share';
  readonly amount: number;
  /** Where the book has several; null: not entered, or a share. */
  readonly currency: string | null;
}

/** What a fall of `size` percent from `price` costs. A negative size is a gain. */
export function fallCost(position: Position, price: number, size: number): FallCost {
  const { weight, amount, currency = null, hasForeign } = position;
  return weight === null
    ? { unit: 'money', amount: (amount * price * size) / 100, currency: hasForeign ? currency : null }
    : { unit: 'share', amount: weight * size, currency: null };
}

/** What is at stake in a position. */
export interface Stake {
  /** fall: what the fall of its chance costs. position: all of it, because the size of a fall is not known. */
  readonly of: 'fall' | 'position';
  /** The event has begun, so that the fall is a further one. */
  readonly isFurther: boolean;
  readonly quantity: number;
  /** null: only its weight is known, or no price. */
  readonly money: number | null;
  readonly currency: string | null;
  /** Percent of the book; null: no price is known. */
  readonly share: number | null;
  /** What `share` is part of: the book, its positions in `currency`, or those of them that have a price. */
  readonly part: 'book' | 'currency' | 'priced';
}

/** The stakes at the present prices of the rows. The function computes each sum once. */
export function stakesOf(lists: HoldingLists, rowOf: RowOf): (symbol: string) => Stake | null {
  const book = bookOf(lists);
  const sums = new Map<readonly PositionRow[], { readonly worth: number; readonly isWhole: boolean }>();
  const sumOf = (peers: readonly PositionRow[]) => {
    let sum = sums.get(peers);
    if (sum === undefined) {
      const worths = peers.flatMap(({ symbol, amount }) => {
        const price = priceOf(rowOf(symbol));
        return price === null ? [] : [amount * price];
      });
      sum = { worth: worths.reduce((total, worth) => total + worth, 0), isWhole: worths.length === peers.length };
      sums.set(peers, sum);
    }
    return sum;
  };
  return (symbol) => {
    const position = book.get(symbol);
    if (position === undefined) return null;
    const row = rowOf(symbol);
    const [price, fall] = [priceOf(row), fallChance(row)];
    const size = fall?.size ?? 100;
    const { amount: quantity, currency = null, weight, peers, hasForeign } = position;
    const stake = {
      of: fall?.size == null ? ('position' as const) : ('fall' as const),
      isFurther: fall?.isFurther === true,
      quantity,
      currency,
    };
    if (weight !== null) return { ...stake, money: null, share: weight * size, part: 'book' };
    if (price === null) return { ...stake, money: null, share: null, part: 'book' };
    const { worth, isWhole } = sumOf(peers);
    const money = fallCost(position, price, size).amount;
    const part = !isWhole ? 'priced' : hasForeign ? 'currency' : 'book';
    return { ...stake, money, share: worth === 0 ? null : (100 * money) / worth, part };
  };
}

/** Percent of the whole weight. */
export interface Contributor {
  readonly symbol: string;
  readonly weight: number;
  /** Chance of the warned fall, percent. */
  readonly chance: number;
  /** Contribution to the expected share, percentage points. */
  readonly part: number;
}

/** The positions of one currency in money. */
export interface CurrencyWorth {
  readonly currency: string | null;
  readonly worth: number;
  /** Worth less cost, of the positions with a cost; null: none has one. */
  readonly gain: number | null;
  /** Number of positions without a cost. */
  readonly withoutCost: number;
  /** What the fall of each costs together; null: of none the size is known. */
  readonly falls: number | null;
  /** Held symbols whose fall is of unknown size: `falls` is without them. */
  readonly withoutFall: readonly string[];
}

export interface HoldingsRisk {
  /** Percent of the weight in each state, by state; the rest is not covered. */
  readonly states: readonly [number, number, number];
  /** Percent of the weight without a current state, and its symbols. */
  readonly uncovered: { readonly share: number; readonly symbols: readonly string[] };
  /** Held symbols without a price; no share includes them. */
  readonly unweighed: readonly string[];
  /** Held symbols in another currency than most with prices; no share includes them, because no rate is known. */
  readonly foreign: readonly string[];
  /** Percent of the weight to which `expected` applies: it has a chance of the warned event. */
  readonly assessed: number;
  /** Expected percentage of that weight with the warned fall; null: no holding has a chance. */
  readonly expected: number | null;
  /** As `expected`, from base rates; null: some base rates are unknown. */
  readonly base: number | null;
  /** Percent of the weight whose fall has happened; its chance is of a further fall. */
  readonly fallen: number;
  /** The largest contributors to `expected`, at most three, largest first. */
  readonly contributors: readonly Contributor[];
  /** By currency, most positions first; empty: only weights are known. */
  readonly money: readonly CurrencyWorth[];
}

const CONTRIBUTORS = 3;
/** Data health with a state that is not current. */
const NOT_CURRENT: readonly (string | undefined)[] = ['stale', 'gap', 'quarantined', 'unlisted'];

interface WeightedHolding {
  readonly symbol: string;
  readonly weight: number;
  readonly row: RiskRow | undefined;
}

/** null: no holdings, or none has a price. */
export function holdingsRisk(holdings: Holdings, rows: Readonly<Record<string, RiskRow>>): HoldingsRisk | null {
  const groups = byCurrency(holdings);
  const priced = (symbol: string): number | null => (holdings.unit === 'weight' ? 1 : priceOf(rows[symbol]));
  const held = groups.find((peers) => peers.some(({ symbol }) => priced(symbol) !== null)) ?? [];
  const weighed = held.flatMap(({ symbol, amount }): WeightedHolding[] => {
    const price = priced(symbol);
    return price === null ? [] : [{ symbol, weight: amount * price, row: rows[symbol] }];
  });
  const isWeighed = new Set(weighed.map(({ symbol }) => symbol));
  const total = weighed.reduce((sum, one) => sum + one.weight, 0);
  if (total === 0) return null;
  const share = (of: readonly WeightedHolding[]): number =>
    (100 * of.reduce((sum, one) => sum + one.weight, 0)) / total;
  const [covered, uncovered] = [weighed.filter(isCurrent), weighed.filter((one) => !isCurrent(one))];
  const inState = (state: State): number => share(covered.filter(({ row }) => row?.signal?.state === state));
  const fallen = covered.filter(({ row }) => row?.signal?.confidence_of === 'further_fall');
  const assessed = covered.flatMap((one) => {
    const signal = one.row?.signal ?? null;
    const chance = signal === null ? null : chanceOf(signal);
    return chance === null || chance.isFurther ? [] : [{ ...one, chance: chance.percent }];
  });
  const weight = assessed.reduce((sum, one) => sum + one.weight, 0);
  const mean = (value: (one: (typeof assessed)[number]) => number): number =>
    assessed.reduce((sum, one) => sum + one.weight * value(one), 0) / weight;
  const hasBases = assessed.every(({ row }) => row?.signal?.base_rate != null);
  return {
    states: [inState(0), inState(1), inState(2)],
    uncovered: { share: share(uncovered), symbols: uncovered.map(({ symbol }) => symbol) },
    unweighed: held.flatMap(({ symbol }) => (isWeighed.has(symbol) ? [] : [symbol])),
    foreign: groups.flatMap((peers) => (peers === held ? [] : peers.map(({ symbol }) => symbol))),
    assessed: share(assessed),
    expected: weight === 0 ? null : mean(({ chance }) => chance),
    base: weight === 0 || !hasBases ? null : mean(({ row }) => row?.signal?.base_rate ?? 0),
    fallen: share(fallen),
    contributors: assessed
      .map(({ symbol, weight: own, chance }) => ({
        symbol,
        weight: (100 * own) / total,
        chance,
        part: (own * chance) / weight,
      }))
      .sort((a, b) => b.part - a.part)
      .slice(0, CONTRIBUTORS),
    money: holdings.unit === 'weight' ? [] : groups.flatMap((peers) => worthIn(peers, rows)),
  };
}

/** Empty: no position has a price. */
function worthIn(peers: readonly PositionRow[], rows: Readonly<Record<string, RiskRow>>): CurrencyWorth[] {
  const priced = peers.flatMap(({ symbol, amount, cost }) => {
    const price = priceOf(rows[symbol]);
    if (price === null) return [];
    const size = fallChance(rows[symbol])?.size ?? null;
    return [{ symbol, worth: amount * price, paid: cost === undefined ? null : amount * cost, size }];
  });
  if (priced.length === 0) return [];
  const sum = (values: readonly number[]): number | null =>
    values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
  return [
    {
      currency: peers[0]?.currency ?? null,
      worth: sum(priced.map(({ worth }) => worth)) ?? 0,
      gain: sum(priced.flatMap(({ worth, paid }) => (paid === null ? [] : [worth - paid]))),
      withoutCost: priced.filter(({ paid }) => paid === null).length,
      falls: sum(priced.flatMap(({ worth, size }) => (size === null ? [] : [(worth * size) / 100]))),
      withoutFall: priced.flatMap(({ symbol, size }) => (size === null ? [symbol] : [])),
    },
  ];
}

const isCurrent = ({ row }: WeightedHolding): boolean =>
  row !== undefined && row.signal !== null && !row.stale && !NOT_CURRENT.includes(row.signal.data_health);
