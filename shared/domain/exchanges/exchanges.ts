// Pure: the calendars of sessions by their ids, and the exchange of a symbol.
import type { AssetClass } from '../instruments.ts';
import { JOHANNESBURG, NEW_YORK, SAO_PAULO, TORONTO } from './americas.ts';
import { HONG_KONG, MUMBAI, SEOUL, SHANGHAI, SHENZHEN, SINGAPORE, SYDNEY, TOKYO } from './asia-pacific.ts';
import { AMSTERDAM, FRANKFURT, LONDON, MADRID, MILAN, PARIS, STOCKHOLM, ZURICH } from './europe.ts';
import type { ExchangeTable } from './exchange-table.ts';

/** The twenty exchanges. The days were compared with gerrymanoim/exchange_calendars and vacanza/holidays. */
export const EXCHANGES = {
  us: NEW_YORK,
  toronto: TORONTO,
  london: LONDON,
  frankfurt: FRANKFURT,
  paris: PARIS,
  amsterdam: AMSTERDAM,
  zurich: ZURICH,
  milan: MILAN,
  madrid: MADRID,
  stockholm: STOCKHOLM,
  tokyo: TOKYO,
  hong_kong: HONG_KONG,
  shanghai: SHANGHAI,
  shenzhen: SHENZHEN,
  singapore: SINGAPORE,
  sydney: SYDNEY,
  seoul: SEOUL,
  mumbai: MUMBAI,
  sao_paulo: SAO_PAULO,
  johannesburg: JOHANNESBURG,
} as const satisfies Readonly<Record<string, ExchangeTable>>;
export type Exchange = keyof typeof EXCHANGES;
export const EXCHANGE_IDS = Object.keys(EXCHANGES) as Exchange[];

/** Currencies: 17:00 of the day before to 17:00 in New York. No exchange, so no source: as OANDA's prices have it. */
export const FX: ExchangeTable = {
  label: 'currencies',
  zone: 'America/New_York',
  currency: '',
  suffixes: [],
  indices: [],
  hours: { '': '-0700-1700' },
  years: '* 0101 1225',
};

const by = (names: (table: ExchangeTable) => readonly string[]): ReadonlyMap<string, Exchange> =>
  new Map(EXCHANGE_IDS.flatMap((id) => names(EXCHANGES[id]).map((name) => [name, id] as const)));
const BY_SUFFIX = by(({ suffixes }) => suffixes);
const BY_INDEX = by(({ indices }) => indices);

/** The exchange of a symbol by its suffix (7203.T), of an index also by its name (^N225); null: neither is known. */
export function exchangeOf(symbol: string, assetClass: AssetClass): Exchange | null {
  const suffix = BY_SUFFIX.get(symbol.slice(symbol.lastIndexOf('.') + 1));
  if (suffix !== undefined && symbol.lastIndexOf('.') > 0) return suffix;
  return (assetClass === 'index' ? BY_INDEX.get(symbol.replace('^', '')) : undefined) ?? null;
}
