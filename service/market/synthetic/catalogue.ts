// Service, sandbox world: its instruments, and the factors that move each of them.
// Volatilities, betas and levels are round figures near the real ones; the paths are invented.
import type { AssetClass } from '../../../shared/domain/instruments.ts';
import type { Instrument } from '../types.ts';
import type { ReturnModel } from './return-model.ts';

/** A common driver of prices. */
export interface Factor {
  readonly name: FactorName;
  readonly returnModel: ReturnModel;
}

export type FactorName =
  | 'market'
  | 'defensive'
  | 'technology'
  | 'financials'
  | 'energy'
  | 'industry'
  | 'materials'
  | 'utilities'
  | 'health'
  | 'staples'
  | 'consumer'
  | 'property'
  | 'media'
  | 'small'
  | 'abroad'
  | 'rates'
  | 'credit'
  | 'gold'
  | 'dollar'
  | 'sterling'
  | 'crypto';

export const MARKET_RETURN_MODEL: ReturnModel = {
  volatility: 18.5,
  stress: 0,
  slow: 0.9,
  size: 0.14,
  leverage: 0.2,
  tilt: 0.05,
};

/** A factor of a group of shares. `stress`: share of the market's log variance. */
const group = (name: FactorName, volatility: number, stress: number): Factor => ({
  name,
  returnModel: { volatility, stress, slow: 0.6, size: 0.14, leverage: 0.04, tilt: 0.01 },
});
/** Symmetric: falls feed volatility as much as rises. */
const even = (name: FactorName, volatility: number, stress: number): Factor => ({
  name,
  returnModel: { volatility, stress, slow: 0.6, size: 0.15, leverage: 0, tilt: 0 },
});

/** The market must be first: the others include a share of its variance. */
export const FACTORS: readonly Factor[] = [
  { name: 'market', returnModel: MARKET_RETURN_MODEL },
  group('defensive', 7, 0.8),
  group('technology', 10, 0.7),
  group('financials', 11, 0.8),
  group('energy', 18, 0.7),
  group('industry', 7, 0.7),
  group('materials', 10, 0.7),
  group('utilities', 10, 0.8),
  group('health', 8, 0.7),
  group('staples', 6, 0.7),
  group('consumer', 7, 0.7),
  group('property', 11, 0.8),
  group('media', 8, 0.6),
  group('small', 9, 0.7),
  group('abroad', 9, 0.6),
  even('rates', 13, 0.5),
  group('credit', 4, 1),
  even('gold', 15, 0.3),
  even('dollar', 8, 0.4),
  even('sterling', 6, 0.4),
  { name: 'crypto', returnModel: { volatility: 52, stress: 0.2, slow: 0.5, size: 0.17, leverage: 0.03, tilt: 0.03 } },
];

/** An instrument's own part; the listing gives its volatility. */
export const OWN_RETURN_MODEL: ReturnModel = {
  volatility: 0,
  stress: 0.7,
  slow: 0.75,
  size: 0.2,
  leverage: 0.03,
  tilt: 0,
};
/** Size of a surprise, in deviations of the own part. */
export const SURPRISE = 5;

export type Loadings = Readonly<Partial<Record<FactorName, number>>>;

/** An instrument of the world and the return model of its price. */
export interface Listing extends Instrument {
  /** Level of the price's long-run path at the start of 2026. */
  readonly level: number;
  /** Log growth of that path per year. */
  readonly growth: number;
  /** Daily pull of the log price towards that path; a half-life of a year is .0019, of three years .0006. */
  readonly pull: number;
  /** Volatility of the own part, percent a year of 252 bars. */
  readonly own: number;
  readonly loadings: Loadings;
  /** Usual daily volume; null: unknown. */
  readonly volume: number | null;
  /** Days per year with news, which make jumps of this instrument alone. */
  readonly surprises: number;
}

/** The more volatile the class, the stronger the pull. */
const PULL: Readonly<Record<AssetClass, number>> = {
  index: 0.0009,
  etf: 0.0009,
  fx: 0.001,
  equity: 0.001,
  crypto: 0.002,
};

type Role = 'full' | 'regime' | 'input';

const listing = (
  symbol: string,
  name: string,
  assetClass: AssetClass,
  level: number,
  volume: number | null,
  own: number,
  loadings: Loadings,
  { role = 'full', growth = 0.045 }: { role?: Role; growth?: number } = {},
): Listing => ({
  symbol,
  name,
  assetClass,
  regimeOnly: role === 'regime',
  inputOnly: role === 'input',
  level,
  growth,
  pull: PULL[assetClass],
  own,
  loadings,
  volume,
  surprises: assetClass === 'equity' ? 5 : 0,
});

/** Listings with signals; the default watchlist comes first, so that a small world has it. */
const FULL: readonly Listing[] = [
  listing('SPY', 'SPDR S&P 500 ETF Trust', 'etf', 560, 7e7, 0.5, { market: 1 }),
  listing('QQQ', 'Invesco QQQ Trust', 'etf', 480, 4.5e7, 3, { market: 1.1, technology: 0.75, media: 0.2 }),
  listing('IWM', 'iShares Russell 2000 ETF', 'etf', 225, 3e7, 2, { market: 1.1, small: 1, financials: 0.15 }),
  listing('DIA', 'SPDR Dow Jones Industrial Average ETF Trust', 'etf', 420, 4e6, 2.5, {
    market: 0.93,
    industry: 0.35,
    defensive: 0.2,
  }),
  listing('SPX', 'S&P 500 Index', 'index', 5600, 2.4e9, 0.3, { market: 1 }),
  listing('COMP', 'Nasdaq Composite Index', 'index', 17_600, 4.8e9, 3, {
    market: 1.1,
    technology: 0.65,
    media: 0.2,
    small: 0.15,
  }),
  listing('XLK', 'Technology Select Sector SPDR Fund', 'etf', 225, 6e6, 3, { market: 1.1, technology: 1 }),
  listing('XLY', 'Consumer Discretionary Select Sector SPDR Fund', 'etf', 200, 4e6, 4, {
    market: 1.08,
    consumer: 1,
    defensive: -0.2,
  }),
  listing('XLF', 'Financial Select Sector SPDR Fund', 'etf', 44, 4e7, 3, { market: 1.1, financials: 1 }),
  listing('XLI', 'Industrial Select Sector SPDR Fund', 'etf', 130, 9e6, 3, { market: 1.02, industry: 1 }),
  listing('XLB', 'Materials Select Sector SPDR Fund', 'etf', 92, 6e6, 4, { market: 1.02, materials: 1, dollar: 0.15 }),
  listing('XLE', 'Energy Select Sector SPDR Fund', 'etf', 90, 1.6e7, 4, { market: 0.95, energy: 1 }),
  listing('XLV', 'Health Care Select Sector SPDR Fund', 'etf', 145, 8e6, 2.5, {
    market: 0.76,
    health: 1,
    defensive: 0.5,
  }),
  listing('XLP', 'Consumer Staples Select Sector SPDR Fund', 'etf', 78, 1.1e7, 2.5, {
    market: 0.58,
    staples: 1,
    defensive: 0.8,
  }),
  listing('XLU', 'Utilities Select Sector SPDR Fund', 'etf', 72, 1.2e7, 3, {
    market: 0.58,
    utilities: 1,
    defensive: 1,
    rates: 0.15,
  }),
  listing(
    'AGG',
    'iShares Core U.S. Aggregate Bond ETF',
    'etf',
    98,
    8e6,
    1.2,
    { rates: 0.32, credit: 0.2 },
    { growth: 0.012 },
  ),
  listing(
    'TLT',
    'iShares 20+ Year Treasury Bond ETF',
    'etf',
    96,
    3.5e7,
    2,
    { rates: 1, market: -0.22 },
    { growth: 0.012 },
  ),
  listing(
    'HYG',
    'iShares iBoxx $ High Yield Corporate Bond ETF',
    'etf',
    78,
    3.5e7,
    1.5,
    { market: 0.3, credit: 1, rates: 0.12 },
    { growth: 0.015 },
  ),
  listing('GLD', 'SPDR Gold Shares', 'etf', 240, 8e6, 2, { gold: 1, rates: 0.2, dollar: 0.5 }, { growth: 0.03 }),
  listing('AAPL', 'Apple Inc.', 'equity', 215, 5.5e7, 21, { market: 1.12, technology: 0.9 }),
  listing('MSFT', 'Microsoft Corporation', 'equity', 430, 2.1e7, 18, { market: 1.05, technology: 0.9 }),
  listing('NVDA', 'NVIDIA Corporation', 'equity', 125, 2.5e8, 36, { market: 1.45, technology: 1.6 }),
  listing('GOOG', 'Alphabet Inc.', 'equity', 172, 2e7, 21, { market: 1.05, technology: 0.5, media: 0.9 }),
  listing('IBM', 'International Business Machines Corporation', 'equity', 205, 4.5e6, 19, {
    market: 0.9,
    technology: 0.4,
  }),
  listing('CAT', 'Caterpillar Inc.', 'equity', 345, 3e6, 23, { market: 1.12, industry: 1.3, materials: 0.3 }),
  listing('BAC', 'Bank of America Corporation', 'equity', 40, 3.8e7, 22, { market: 1.2, financials: 1.5 }),
  listing('NDX', 'Nasdaq-100 Index', 'index', 19_700, 9e8, 3, { market: 1.1, technology: 0.75, media: 0.2 }),
  listing('EEM', 'iShares MSCI Emerging Markets ETF', 'etf', 43, 2.8e7, 6, { market: 1.02, abroad: 1.2, dollar: 0.5 }),
  listing('EFA', 'iShares MSCI EAFE ETF', 'etf', 80, 1.3e7, 4, { market: 0.93, abroad: 0.8, dollar: 0.5 }),
  listing('XLRE', 'Real Estate Select Sector SPDR Fund', 'etf', 41, 5e6, 3, {
    market: 0.92,
    property: 1,
    rates: 0.2,
    defensive: 0.3,
  }),
  listing('XLC', 'Communication Services Select Sector SPDR Fund', 'etf', 86, 4e6, 3, {
    market: 0.98,
    media: 1,
    technology: 0.3,
  }),
  listing('AMZN', 'Amazon.com, Inc.', 'equity', 185, 3.6e7, 25, { market: 1.15, consumer: 0.8, technology: 0.7 }),
  listing('META', 'Meta Platforms, Inc.', 'equity', 505, 1.3e7, 28, { market: 1.15, media: 1.1, technology: 0.6 }),
  listing('TSLA', 'Tesla, Inc.', 'equity', 235, 8e7, 42, { market: 1.45, consumer: 1, technology: 0.6 }),
  listing('HD', 'The Home Depot, Inc.', 'equity', 370, 3.4e6, 16, { market: 1, consumer: 1 }),
  listing('JPM', 'JPMorgan Chase & Co.', 'equity', 205, 8e6, 17, { market: 1.1, financials: 1.3 }),
  listing('GE', 'General Electric Company', 'equity', 165, 5e6, 22, { market: 1.1, industry: 1.2 }),
  listing('F', 'Ford Motor Company', 'equity', 12.4, 5e7, 28, { market: 1.2, consumer: 0.8, industry: 0.6 }),
  listing('BA', 'The Boeing Company', 'equity', 185, 7e6, 26, { market: 1.1, industry: 1.2 }),
  listing('XOM', 'Exxon Mobil Corporation', 'equity', 112, 1.5e7, 13, { market: 0.85, energy: 0.9 }),
  listing('JNJ', 'Johnson & Johnson', 'equity', 155, 7e6, 13, { market: 0.6, health: 0.8, defensive: 0.7 }),
  listing('PG', 'The Procter & Gamble Company', 'equity', 165, 6.5e6, 13, { market: 0.55, staples: 1, defensive: 0.8 }),
  listing('KO', 'The Coca-Cola Company', 'equity', 66, 1.4e7, 12, { market: 0.55, staples: 1, defensive: 0.8 }),
  listing('UNH', 'UnitedHealth Group Incorporated', 'equity', 480, 4e6, 22, {
    market: 0.75,
    health: 1.1,
    defensive: 0.3,
  }),
  listing('WMT', 'Walmart Inc.', 'equity', 70, 1.7e7, 16, { market: 0.6, staples: 0.9, defensive: 0.6 }),
];

const BESIDES: readonly Listing[] = [
  listing('BTC', 'Bitcoin', 'crypto', 62_000, 3.2e4, 12, { crypto: 1, market: 0.6 }, { role: 'regime', growth: 0.08 }),
  listing('ETH', 'Ether', 'crypto', 2600, 4e5, 30, { crypto: 1.1, market: 0.8 }, { role: 'regime', growth: 0.08 }),
  listing(
    'EURUSD',
    'Euro / US Dollar',
    'fx',
    1.1,
    null,
    1.5,
    { dollar: 1, market: 0.03 },
    { role: 'regime', growth: 0 },
  ),
  listing(
    'GBPUSD',
    'British Pound / US Dollar',
    'fx',
    1.28,
    null,
    1.5,
    { dollar: 0.75, sterling: 1, market: 0.06 },
    { role: 'regime', growth: 0 },
  ),
];

/** The volatility index: computed from the market's variance, without loadings. */
export const VIX: Instrument = {
  symbol: 'VIX',
  name: 'Cboe Volatility Index',
  assetClass: 'index',
  regimeOnly: false,
  inputOnly: true,
};

/** Number of real names with signals. */
export const FULL_SERVICE = FULL.length;

const SECTORS: readonly FactorName[] = [
  'technology',
  'financials',
  'energy',
  'industry',
  'materials',
  'health',
  'staples',
  'consumer',
];

/** Invented shares for load tests, after the real ones: SIM0001, SIM0002, ... */
function invented(number: number): Listing {
  const sector = SECTORS[number % SECTORS.length] as FactorName;
  const digits = String(number).padStart(4, '0');
  const spread = (number * 7) % 11;
  return listing(
    `SIM${digits}`,
    `Simulated Share ${digits}`,
    'equity',
    20 + 13 * spread,
    1e6 * (1 + spread),
    15 + spread,
    {
      market: 0.7 + spread / 14,
      [sector]: 1,
    },
  );
}

/** The listings of a world: `count` symbols with signals, and the regime-only symbols. */
export function listings(count: number): readonly Listing[] {
  const extra = Array.from({ length: Math.max(0, count - FULL.length) }, (_, index) => invented(index + 1));
  return [...FULL.slice(0, count), ...extra, ...BESIDES];
}
