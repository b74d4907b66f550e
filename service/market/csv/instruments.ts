// Service, market: classifies the symbols of a price folder by instruments.csv or by ticker.
import { z } from 'zod';
import { EXCHANGE_IDS, type Exchange, exchangeOf } from '../../../shared/domain/exchanges/exchanges.ts';
import { ASSET_CLASSES, type AssetClass, isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { type SessionCalendar, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { readNamedTable } from '../files/named-table.ts';
import type { CsvProblem } from '../files/table.ts';
import type { Instrument } from '../types.ts';

export const INSTRUMENT_FILE = 'instruments.csv';
const INSTRUMENT_HEADER = 'symbol,name,asset_class,exchange,currency,calendar,role';

/** signal: has states. regime: has a regime and no signal. input: only an input for other symbols. */
const ROLES = ['signal', 'regime', 'input'] as const;
type Role = (typeof ROLES)[number];

export interface Listing {
  readonly instrument: Instrument;
  readonly calendar: SessionCalendar;
}

const NAMES: Readonly<Record<string, string>> = {
  SPY: 'S&P 500 ETF',
  QQQ: 'Nasdaq 100 ETF',
  IWM: 'Russell 2000 ETF',
  DIA: 'Dow Jones ETF',
  EEM: 'Emerging Markets ETF',
  EFA: 'Developed Markets ETF',
  VTI: 'US Total Market ETF',
  VOO: 'S&P 500 ETF (Vanguard)',
  IVV: 'S&P 500 ETF (iShares)',
  VEA: 'Developed Markets ETF (Vanguard)',
  VWO: 'Emerging Markets ETF (Vanguard)',
  VNQ: 'Real Estate ETF',
  GLD: 'Gold ETF',
  SLV: 'Silver ETF',
  GDX: 'Gold Miners ETF',
  USO: 'Oil ETF',
  UNG: 'Natural Gas ETF',
  DBC: 'Commodities ETF',
  UUP: 'US Dollar ETF',
  TLT: 'Treasury Bonds 20+ Years ETF',
  IEF: 'Treasury Bonds 7-10 Years ETF',
  SHY: 'Treasury Bonds 1-3 Years ETF',
  TIP: 'Inflation-Linked Bonds ETF',
  AGG: 'US Bonds ETF',
  BND: 'US Bonds ETF (Vanguard)',
  LQD: 'Corporate Bonds ETF',
  HYG: 'High-Yield Bonds ETF',
  JNK: 'High-Yield Bonds ETF (SPDR)',
  SMH: 'Semiconductors ETF',
  XBI: 'Biotech ETF',
  KRE: 'Regional Banks ETF',
  XLB: 'Materials Sector ETF',
  XLC: 'Communication Sector ETF',
  XLE: 'Energy Sector ETF',
  XLF: 'Financials Sector ETF',
  XLI: 'Industrials Sector ETF',
  XLK: 'Technology Sector ETF',
  XLP: 'Consumer Staples Sector ETF',
  XLRE: 'Real Estate Sector ETF',
  XLU: 'Utilities Sector ETF',
  XLV: 'Health Care Sector ETF',
  XLY: 'Consumer Discretionary Sector ETF',
};
const INDEX = /^(\^.+|FTSEMIB\.MI|(SPX|NDX|DJI|DJIA|RUT|COMP|IXIC|VIX|FTSE|DAX|N225|HSI|STOXX)\d*)$/;
/** The names of the oldest coins, alone or as a pair, and pairs that only coins have: LINK-USD, LINKUSDT. */
const COINS =
  /^((BTC|XBT|ETH|SOL|XRP|ADA|DOGE|LTC|BNB|DOT|AVAX)([-/]?(USD|USDT|USDC|EUR))?|[A-Z0-9]{2,10}(-?USD[TC]|-(USD|EUR|GBP|BTC)))$/;
/** EURUSD, EUR-USD, and EURUSD=X as Yahoo writes it. */
const PAIR = /^([A-Z]{3})-?([A-Z]{3})(=X)?$/;
/** Includes the four metals that trade like currencies. */
const CURRENCIES = new Set([...Intl.supportedValuesOf('currency'), 'XAU', 'XAG', 'XPT', 'XPD']);

function currenciesOf(symbol: string): string | null {
  const [, base = '', quote = ''] = PAIR.exec(symbol) ?? [];
  return CURRENCIES.has(base) && CURRENCIES.has(quote) ? `${base}/${quote}` : null;
}

/** Of the shares of an exchange. London quotes pence beside pounds, Johannesburg cents: a file does not say which. */
const CURRENCY: Readonly<Record<Exchange, string | undefined>> = {
  ...{ us: 'USD', toronto: 'CAD', london: undefined, zurich: 'CHF', stockholm: 'SEK' },
  ...{ frankfurt: 'EUR', paris: 'EUR', amsterdam: 'EUR', milan: 'EUR', madrid: 'EUR' },
  ...{ tokyo: 'JPY', hong_kong: 'HKD', shanghai: 'CNY', shenzhen: 'CNY', singapore: 'SGD', sydney: 'AUD' },
  ...{ seoul: 'KRW', mumbai: 'INR', sao_paulo: 'BRL', johannesburg: undefined },
};

/**
 * The currency of an instrument's prices: the second of a pair, else that of its exchange; undefined: not known, as of
 * an index, which has points.
 */
function inferCurrency(symbol: string, assetClass: AssetClass, exchange: Exchange | null): string | undefined {
  if (assetClass === 'fx') return currenciesOf(symbol)?.slice(4);
  if (assetClass === 'crypto') return /.-?(USD[TC]?|EUR|GBP|BTC)$/.exec(symbol)?.[1];
  return assetClass === 'index' || exchange === null ? undefined : CURRENCY[exchange];
}

export function inferAssetClass(symbol: string): AssetClass {
  if (currenciesOf(symbol) !== null) return 'fx';
  if (COINS.test(symbol)) return 'crypto';
  if (INDEX.test(symbol)) return 'index';
  return Object.hasOwn(NAMES, symbol) ? 'etf' : 'equity';
}

/** Infers a listing from the ticker alone. */
export function inferListing(symbol: string): Listing {
  const assetClass = inferAssetClass(symbol);
  const name = currenciesOf(symbol) ?? NAMES[symbol] ?? symbol;
  const role = /^\^?VIX$/.test(symbol) ? 'input' : 'signal';
  const calendar = sessionCalendarOf(assetClass, 'production', symbol);
  return listing(
    { symbol, name, assetClass, currency: inferCurrency(symbol, assetClass, exchangeOf(symbol, assetClass)) },
    calendar,
    role,
  );
}

const listing = (
  {
    currency,
    ...known
  }: Pick<Instrument, 'symbol' | 'name' | 'assetClass'> & { readonly currency: string | undefined },
  calendar: SessionCalendar,
  role: Role,
): Listing => ({
  instrument: {
    ...known,
    regimeOnly: role === 'regime',
    inputOnly: role === 'input',
    exchange: calendar,
    ...(currency === undefined ? {} : { currency }),
  },
  calendar,
});

/** Names the symbols whose days and hours are not known. */
export function withoutExchange(listings: Iterable<Listing>): CsvProblem[] {
  const symbols = [...listings].flatMap(({ calendar, instrument }) =>
    calendar === 'unknown' ? instrument.symbol : [],
  );
  if (symbols.length === 0) return [];
  const reason = `${symbols.join(', ')}: the exchange is not known, so no day counts as a holiday and no hour as closed; name it in the column exchange`;
  return [{ file: INSTRUMENT_FILE, line: 0, reason }];
}

/** Names the symbols that have no signals, and the way to give them some. */
export function withoutSignals(listings: Iterable<Listing>): CsvProblem[] {
  const all = [...listings].map(({ instrument }) => instrument);
  const line = (some: readonly Instrument[], role: Role, as: string): CsvProblem[] => {
    if (some.length === 0) return [];
    const [have, gives] = some.length === 1 ? ['has', 'it'] : ['have', 'them'];
    const names = some.map(({ symbol }) => symbol).join(', ');
    const reason = `${names} ${have} ${as}no signals (role ${role}); the role signal gives ${gives} signals`;
    return [{ file: INSTRUMENT_FILE, line: 0, reason }];
  };
  return [
    ...line(
      all.filter((one) => one.regimeOnly),
      'regime',
      'a regime and ',
    ),
    ...line(
      all.filter((one) => one.inputOnly),
      'input',
      '',
    ),
  ];
}

const AssetClassSchema = z.enum(ASSET_CLASSES);
const ExchangeSchema = z.enum(EXCHANGE_IDS);
/** Calendar names in files: of what has no exchange. */
const CalendarSchema = z.enum(['us', 'fx', 'crypto']);
const RoleSchema = z.enum(ROLES);

/**
 * Reads instruments.csv. Infers empty cells and unknown values from the ticker; an unknown value is also a
 * problem.
 * @param bytes null for a folder without the file
 */
export function readListings(bytes: Uint8Array | null): { listings: Map<string, Listing>; problems: CsvProblem[] } {
  const listings = new Map<string, Listing>();
  const problems: CsvProblem[] = [];
  if (bytes === null) return { listings, problems };
  const table = readNamedTable(bytes, ['symbol'], INSTRUMENT_HEADER);
  if (typeof table === 'string') return { listings, problems: [{ file: INSTRUMENT_FILE, line: 0, reason: table }] };
  problems.push(...table.problems.map((one) => ({ file: INSTRUMENT_FILE, ...one })));
  for (const { line, cell } of table.rows) {
    const problem = (reason: string): void => void problems.push({ file: INSTRUMENT_FILE, line, reason });
    const symbol = normalizeSymbol(cell('symbol'));
    if (!isSymbol(symbol)) {
      problem(`"${symbol.slice(0, 30)}" is no symbol; use 1 to 15 of A-Z 0-9 . ^ = -`);
      continue;
    }
    if (listings.has(symbol)) {
      problem(`${symbol} is there already; the first row is kept`);
      continue;
    }
    const choice = <Value extends string, Other extends string>(
      name: string,
      schema: z.ZodEnum<Record<string, Value>>,
      fallback: Other,
      consequence = `${fallback} is assumed`,
    ): Value | Other => {
      const text = cell(name).toLowerCase().replaceAll(' ', '_');
      if (text === '') return fallback;
      const read = schema.safeParse(text);
      if (!read.success)
        problem(`${name} "${text.slice(0, 30)}" is unknown; use ${schema.options.join(', ')}. ${consequence}`);
      return read.success ? read.data : fallback;
    };
    const inferred = inferListing(symbol);
    const assetClass = choice('asset_class', AssetClassSchema, inferred.instrument.assetClass);
    const [bySuffix, usual] = [exchangeOf(symbol, assetClass), sessionCalendarOf(assetClass, 'production', symbol)];
    const isShare = assetClass !== 'crypto' && assetClass !== 'fx';
    // A share of an exchange that cannot be read is of none that is known: New York's nights would hold alerts back.
    const named =
      isShare && cell('exchange') !== ''
        ? choice('exchange', ExchangeSchema, 'unknown', 'Until then no day counts as a holiday and no hour as closed')
        : choice('exchange', ExchangeSchema, usual);
    if (bySuffix !== null && named !== 'unknown' && named !== bySuffix)
      problem(`exchange ${named} is used, although the name ${symbol} is one of ${bySuffix}; correct either`);
    const closes = cell('exchange') === '' ? choice('calendar', CalendarSchema, usual) : isShare ? named : usual;
    const calendar = closes === 'crypto' ? 'always' : closes;
    const exchange = cell('exchange') === '' ? bySuffix : (ExchangeSchema.safeParse(named).data ?? null);
    const isCurrency = /^([A-Z]{3,5})?$/i.test(cell('currency'));
    if (!isCurrency) problem(`currency "${cell('currency').slice(0, 30)}" is none; write it as USD, EUR or GBp`);
    const currency = (isCurrency && cell('currency')) || inferCurrency(symbol, assetClass, exchange);
    const role: Role = choice('role', RoleSchema, inferred.instrument.inputOnly ? 'input' : 'signal');
    const name = cell('name') || inferred.instrument.name;
    listings.set(symbol, listing({ symbol, name, assetClass, currency }, calendar, role));
  }
  return { listings, problems };
}
