// Pure: twenty exchanges, with their clocks, hours and names, and the exchange of a symbol.
import type { AssetClass } from '../instruments.ts';
import type { ExchangeTable } from './exchange-table.ts';

/**
 * @param label names its market in texts
 * @param zone IANA name
 * @param suffixes of its symbols, after the dot, as Yahoo writes them
 * @param indices names of its indices, without the caret
 */
const exchange = (label: string, zone: string, suffixes: string, indices: string, hours: string) => ({
  ...{ label, zone, suffixes, indices, hours },
});

const US_INDICES =
  'GSPC SPX OEX MID SML DJI DJIA DJT DJU IXIC COMP NDX RUT RUI RUA NYA VIX VXN VVIX SKEW TNX TYX FVX IRX SOX';
export const EXCHANGES = {
  us: exchange('US', 'America/New_York', 'US', US_INDICES, '0930-1600'),
  toronto: exchange('Toronto', 'America/Toronto', 'TO V', 'GSPTSE', '0930-1600'),
  london: exchange('London', 'Europe/London', 'L', 'FTSE FTMC FTAS', '0800-1630'),
  frankfurt: exchange('Frankfurt', 'Europe/Berlin', 'DE', 'DAX GDAXI MDAXI TECDAX STOXX STOXX50E', '0900-1730'),
  paris: exchange('Paris', 'Europe/Paris', 'PA', 'FCHI CAC CAC40', '0900-1730'),
  amsterdam: exchange('Amsterdam', 'Europe/Amsterdam', 'AS', 'AEX', '0900-1730'),
  zurich: exchange('Zurich', 'Europe/Zurich', 'SW', 'SSMI', '0900-1730'),
  milan: exchange('Milan', 'Europe/Rome', 'MI', 'FTSEMIB', '0900-1730'),
  madrid: exchange('Madrid', 'Europe/Madrid', 'MC', 'IBEX', '0900-1730'),
  stockholm: exchange('Stockholm', 'Europe/Stockholm', 'ST', 'OMX OMXS30', '0900-1730'),
  tokyo: exchange('Tokyo', 'Asia/Tokyo', 'T', 'N225 TOPX', '0900-1130,1230-1500 2024-11-05 0900-1130,1230-1530'),
  hong_kong: exchange('Hong Kong', 'Asia/Hong_Kong', 'HK', 'HSI HSCE', '0930-1200,1300-1600'),
  shanghai: exchange('Shanghai', 'Asia/Shanghai', 'SS SH', 'SSEC', '0930-1130,1300-1500'),
  shenzhen: exchange('Shenzhen', 'Asia/Shanghai', 'SZ', '', '0930-1130,1300-1500'),
  singapore: exchange('Singapore', 'Asia/Singapore', 'SI', 'STI', '0900-1700 2017-11-13 0900-1200,1300-1700'),
  sydney: exchange('Sydney', 'Australia/Sydney', 'AX', 'AXJO AORD', '1000-1600'),
  seoul: exchange('Seoul', 'Asia/Seoul', 'KS KQ', 'KS11 KS200 KQ11', '0900-1500 2016-08-01 0900-1530'),
  mumbai: exchange('Mumbai', 'Asia/Kolkata', 'NS BO', 'NSEI BSESN NSEBANK', '0915-1530'),
  sao_paulo: exchange('São Paulo', 'America/Sao_Paulo', 'SA', 'BVSP IBOV', '1000-1700 2019-11-04 1000-1600@NY'),
  johannesburg: exchange('Johannesburg', 'Africa/Johannesburg', 'JO', 'J203 JTOPI', '0900-1700'),
};
export type Exchange = keyof typeof EXCHANGES;
export const EXCHANGE_IDS = Object.keys(EXCHANGES) as Exchange[];

/**
 * A session is named by the date on which it closes. us: New York Stock Exchange. fx: 17:00 of the day before to
 * 17:00 in New York, Monday to Friday. always: the UTC day, never closed. The other exchanges by their city.
 */
export const SESSION_CALENDARS = ['us', 'fx', 'always', ...EXCHANGE_IDS.filter((id) => id !== 'us')] as const;
/** unknown: of an exchange that nobody knows; always open, as nothing says that it is closed, and no day is certain. */
export const ALL_CALENDARS = [...SESSION_CALENDARS, 'unknown'] as const;
export type SessionCalendar = (typeof ALL_CALENDARS)[number];

/** Currencies and futures: 17:00 of the day before to 17:00 in New York. */
export const FX: ExchangeTable = { zone: 'America/New_York', hours: '-0700-1700', days: '* 0101 1225' };
/** Of no known exchange: hours that contain those of every exchange, and no known day. */
export const UNKNOWN: ExchangeTable = { ...FX, days: '' };

const by = (names: 'suffixes' | 'indices'): ReadonlyMap<string, Exchange> =>
  new Map(EXCHANGE_IDS.flatMap((id) => EXCHANGES[id][names].split(' ').map((name) => [name, id] as const)));
const BY_SUFFIX = by('suffixes');
const BY_INDEX = by('indices');

/**
 * The exchange of a symbol by its suffix (7203.T), of an index also by its name (^N225, SPX500); null: neither is
 * known.
 */
export function exchangeOf(symbol: string, assetClass: AssetClass): Exchange | null {
  const suffix = BY_SUFFIX.get(/.\.([A-Z]+)$/.exec(symbol)?.[1] ?? '');
  if (suffix !== undefined || assetClass !== 'index') return suffix ?? null;
  const name = symbol.replace('^', '');
  return BY_INDEX.get(name) ?? BY_INDEX.get(name.replace(/\d+$/, '')) ?? null;
}

/** 2330.TW, 005930, ^TWII: no shares of New York, whose classes have one letter (BRK.B). */
const ELSEWHERE = /\.[A-Z]{2,}$|^\d+$|^\^/;
/** Whether a symbol is written as those of New York are: any share without a suffix, no index that is not known. */
export const isOfNewYork = (symbol: string, assetClass: AssetClass): boolean =>
  assetClass !== 'index' && !ELSEWHERE.test(symbol);
