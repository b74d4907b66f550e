// Pure: the twelve factor dimensions of the specification, section 2.3, in D-order.

export const FACTOR_CODES = [
  'D-01',
  'D-02',
  'D-03',
  'D-04',
  'D-05',
  'D-06',
  'D-07',
  'D-08',
  'D-09',
  'D-10',
  'D-11',
  'D-12',
] as const;
export type FactorCode = (typeof FACTOR_CODES)[number];

/** Power per dimension, 0..1; null where there is no value (yet), never 0 in its stead. */
export type Powers = Readonly<Record<FactorCode, number | null>>;

export interface FactorDimension {
  readonly code: FactorCode;
  readonly name: string;
  /** Key in `powers` of GET /api/archetypes/current: lowercase, spaces preserved (contract 4). */
  readonly key: string;
  readonly description: string;
  /** The market indicators that measure it. */
  readonly domain: string;
  /** Fixed documented strings (contract 5): identifiers, never used as CSS or HTML by our own client. */
  readonly icon: string;
  readonly color: string;
}

const dimension = (
  code: FactorCode,
  name: string,
  description: string,
  domain: string,
  icon: string,
  color: string,
): FactorDimension => ({
  code,
  name,
  key: name.toLowerCase(),
  description,
  domain,
  icon,
  color,
});

export const FACTOR_DIMENSIONS: readonly FactorDimension[] = [
  dimension(
    'D-01',
    'Liquidity',
    'Trading volume and market depth',
    'Amihud illiquidity, Corwin-Schultz spread',
    'droplet',
    'from-sky-500 to-cyan-500',
  ),
  dimension(
    'D-02',
    'Relationships',
    'Sector and asset correlations',
    'Mean correlation, absorption ratio',
    'network',
    'from-indigo-500 to-blue-500',
  ),
  dimension(
    'D-03',
    'Volatility',
    'Market volatility regime',
    'Yang-Zhang volatility',
    'activity',
    'from-rose-500 to-red-500',
  ),
  dimension(
    'D-04',
    'Economics',
    'Economic cycle positioning',
    'Cyclical against defensive sectors, shares against bonds',
    'building',
    'from-amber-500 to-yellow-500',
  ),
  dimension(
    'D-05',
    'Risk Premium',
    'Risk assessment and pricing',
    'Variance risk premium, realised Sharpe ratio',
    'scale',
    'from-lime-500 to-green-500',
  ),
  dimension(
    'D-06',
    'Clarity',
    'Price discovery efficiency',
    'Efficiency ratio, permutation entropy',
    'eye',
    'from-teal-500 to-emerald-500',
  ),
  dimension(
    'D-07',
    'Protection',
    'Defensive positioning demand',
    'Defensive sectors, bonds and gold against shares',
    'shield',
    'from-blue-500 to-slate-500',
  ),
  dimension(
    'D-08',
    'Momentum',
    'Price momentum strength',
    'Twelve-month return without the last month',
    'trending-up',
    'from-green-500 to-lime-500',
  ),
  dimension(
    'D-09',
    'Structure',
    'Technical analysis patterns',
    'Moving-average order, trend regression',
    'layers',
    'from-stone-500 to-zinc-500',
  ),
  dimension(
    'D-10',
    'Sentiment',
    'Investor sentiment indicators',
    'Relative strength, money flow, implied volatility',
    'smile',
    'from-fuchsia-500 to-pink-500',
  ),
  dimension(
    'D-11',
    'Velocity',
    'Market speed and tempo',
    'Five-day move, true range',
    'gauge',
    'from-orange-500 to-amber-500',
  ),
  dimension(
    'D-12',
    'Chaos',
    'Extreme events and tail risk',
    'Hill tail index, jumps, drawdown, turbulence',
    'zap',
    'from-red-500 to-purple-500',
  ),
];

/** A row of powers with every dimension present and without a value. */
export function emptyPowers(): Record<FactorCode, number | null> {
  return Object.fromEntries(FACTOR_CODES.map((code) => [code, null])) as Record<FactorCode, number | null>;
}
