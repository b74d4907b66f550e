// Pure: the holdings of a list and their risk: shares by state, expected share of the warned fall.
import { z } from 'zod';
import { type ClaimedFall, chanceOf } from './fall-chance.ts';
import { SYMBOL_PATTERN } from './instruments.ts';
import type { State } from './states.ts';

export const MAX_HOLDINGS = 2000;
/** weight: a share or an amount of money. quantity: shares or coins, which the price weighs. */
export const HOLDING_UNITS = ['weight', 'quantity'] as const;
export const HoldingsSchema = z.strictObject({
  unit: z.enum(HOLDING_UNITS),
  rows: z
    .array(z.strictObject({ symbol: z.string().regex(SYMBOL_PATTERN), amount: z.number().positive().max(1e15) }))
    .max(MAX_HOLDINGS)
    .refine((rows) => new Set(rows.map(({ symbol }) => symbol)).size === rows.length, 'a symbol is held once'),
});
export type Holdings = z.infer<typeof HoldingsSchema>;

/** The fields of a watchlist row that the risk needs. */
export interface RiskRow {
  readonly stale: boolean;
  readonly signal: (ClaimedFall & { readonly price: number | null; readonly data_health?: string | undefined }) | null;
  readonly quote?: { readonly price: number; readonly old: boolean } | undefined;
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

export interface HoldingsRisk {
  /** Percent of the weight in each state, by state; the rest is not covered. */
  readonly states: readonly [number, number, number];
  /** Percent of the weight without a current state, and its symbols. */
  readonly uncovered: { readonly share: number; readonly symbols: readonly string[] };
  /** Held symbols without a price; no share includes them. */
  readonly unweighed: readonly string[];
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
}

const CONTRIBUTORS = 3;
/** Data health with a state that is not current. */
const NOT_CURRENT: readonly (string | undefined)[] = ['stale', 'gap', 'quarantined', 'unlisted'];

interface WeightedHolding {
  readonly symbol: string;
  readonly weight: number;
  readonly row: RiskRow | undefined;
}

type RowOf = (symbol: string) => RiskRow | undefined;

function weigh({ unit, rows: held }: Holdings, rowOf: RowOf) {
  const weighed: WeightedHolding[] = [];
  const unweighed: string[] = [];
  for (const { symbol, amount } of held) {
    const row = rowOf(symbol);
    const price = unit === 'weight' ? 1 : (row?.signal?.price ?? row?.quote?.price ?? null);
    if (price === null) unweighed.push(symbol);
    else weighed.push({ symbol, weight: amount * price, row });
  }
  return { weighed, unweighed, total: weighed.reduce((sum, { weight }) => sum + weight, 0) };
}

/** The share of each held symbol in the holdings of its list, 0..1: the largest where several lists hold it. */
export function heldShares(lists: readonly { readonly holdings?: Holdings | undefined }[], rowOf: RowOf) {
  const shares = new Map<string, number>();
  for (const { holdings } of lists) {
    if (holdings === undefined) continue;
    const { weighed, total } = weigh(holdings, rowOf);
    for (const { symbol, weight } of weighed)
      shares.set(symbol, Math.max(shares.get(symbol) ?? 0, total === 0 ? 0 : weight / total));
  }
  return shares;
}

/** null: no holdings, or none has a price. */
export function holdingsRisk(holdings: Holdings, rows: Readonly<Record<string, RiskRow>>): HoldingsRisk | null {
  const { weighed, unweighed, total } = weigh(holdings, (symbol) => rows[symbol]);
  if (total === 0) return null;
  const share = (of: readonly WeightedHolding[]): number =>
    (100 * of.reduce((sum, { weight }) => sum + weight, 0)) / total;
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
    unweighed,
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
  };
}

const isCurrent = ({ row }: WeightedHolding): boolean =>
  row !== undefined && row.signal !== null && !row.stale && !NOT_CURRENT.includes(row.signal.data_health);
