// Service, price files: what the names of columns mean, and whose file it is.
import type { DateFormat } from './dates.ts';

/** What a column may be. `time` stands beside a date; `adjusted` is the close after splits and dividends. */
export const COLUMN_ROLES = ['symbol', 'date', 'time', 'open', 'high', 'low', 'close', 'adjusted', 'volume'] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];
/** Positions from 0; -1: the file has no such column. */
export type Positions = Readonly<Record<ColumnRole, number>>;

/** Names before `bareName`, preferred ones first: in English, then in other languages. */
const NAMES: Readonly<Record<ColumnRole, string>> = {
  symbol: `symbol, ticker, instrument, security, sym, secid, tradingsymbol, tckrsymb, tic, act symbol,
    kurzel, symbole, simbolo, ts code, code, 銘柄コード, コード, 股票代码, 证券代码, 證券代號, 종목코드`,
  date: `date, datetime, date time, trade date, trading date, session date, gmt time, local time, exchange date, tradedate,
    dates, timestamp, time, time utc, time et, window start, ts event, day, t, begin, unix, unix timestamp, open time,
    start time, time key, traddt, date1, time period, observation date, snapped at, datadate, dtyyyymmdd, datum, fecha,
    data, tarih, дата, 日付, 日付け, 日期, 交易日期, 날짜, 일자`,
  time: 'time, uhrzeit, heure, hora, ora',
  open: `open, opening, open price, opening price, openprice, px open, o, first, opnpric, prcod, eröffnung, eröffn,
    eröffnungskurs, erster, anfang, ouverture, ouv, apertura, abertura, otwarcie, öppen, openingskoers, açılış, откр,
    始値, 开盘, 開盤, 开盘价, 開盤價, 시가`,
  high: `high, high price, highprice, px high, h, hghpric, prchd, hoch, tageshoch, höchst, höchstkurs, plus haut, haut,
    máximo, máxima, massimo, max, najwyższy, hoog, högst, yüksek, макс, 高値, 高, 最高, 最高价, 最高價, 고가`,
  low: `low, low price, lowprice, px low, l, lwpric, prcld, tief, tagestief, tiefst, tiefstkurs, plus bas, bas, mínimo,
    mínima, minimo, min, najniższy, laag, lägst, düşük, мин, 安値, 低, 最低, 最低价, 最低價, 저가`,
  close: `close, closing, close price, closing price, closeprice, close last, px last, px close, c, clspric, prccd, settle,
    settlement price, last, last price, latest, price, prc, ltp, nav, value, obs value, schluss, schlusskurs, schluß, kurs,
    zuletzt, letzter, clôture, clôt, dernier, cierre, último, ultimo, chiusura, fechamento, zamknięcie, zamkniecie, ostatnio,
    laatst, slotkoers, senaste, şimdi, цена, 終値, 收盘, 收盤, 收盘价, 收盤價, 종가`,
  adjusted: `adj close, adjusted close, adjclose, close adj, closeadj, adj closing price, adjusted closing price,
    adjustmentclose, adjusted, 終値調整, 終値調整値, 調整後終値`,
  volume: `stuecke, stücke, stück, umsatz in stück, umsatz stück, number of shares, no of shares, shares traded, volume, vol,
    px volume, total volume, total trade quantity, tottrdqty, ttltradgvol, cshtrd, v, volumen, volumi, wolumen, wol, volym,
    tickvol, tick volume, hac, объем, 出来高, 成交量, 成交股数, 成交股數, 交易量, 거래량`,
};

/** "1. open", "<OPEN>", "Close/Last", "Adj Close**", "Er\u00f6ffnung" as open, open, close last, adj close, eroffnung. */
export const bareName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\([^)]*\)|^\s*\d+[.:]/g, ' ')
    .replace(/[^\p{L}\p{N}+%#]+/gu, ' ')
    .trim()
    .normalize();

const ROLE_NAMES = new Map(COLUMN_ROLES.map((role) => [role, NAMES[role].split(',').map(bareName)]));

const PRICE_ROLES: readonly ColumnRole[] = ['adjusted', 'open', 'high', 'low', 'close', 'volume'];
/** What a name says of a column of prices or volumes. Letters alone are also exchanges, as in VOD.L. */
export const priceRoleOf = (bare: string): ColumnRole | undefined =>
  bare.length < 2 ? undefined : PRICE_ROLES.find((role) => ROLE_NAMES.get(role)?.includes(bare));

/** Columns of trades, orders and options, whose prices are no closes. */
const TRADES = ['side', 'action', 'quantity', 'qty', 'commission', 'strike', 'order id', 'trade id'];

/** @param names bare names */
export function positionsOf(names: readonly string[]): Positions {
  const find = (role: ColumnRole): number => {
    const known = ROLE_NAMES.get(role)?.find((name) => names.includes(name));
    return known === undefined ? -1 : names.indexOf(known);
  };
  const [date, time, open, adjusted] = [find('date'), find('time'), find('open'), find('adjusted')];
  const close = open === -1 && TRADES.some((name) => names.includes(name)) ? -1 : find('close');
  return {
    ...{ symbol: find('symbol'), date, time: time === date ? -1 : time, open, high: find('high') },
    ...{ low: find('low'), close: close === -1 ? adjusted : close, adjusted: close === -1 ? -1 : adjusted },
    // "Volume BTC" beside "Volume USDT".
    volume: find('volume') === -1 ? names.findIndex((name) => name.startsWith('volume ')) : find('volume'),
  };
}

/** Whether a line names date and close. */
export function isHeader(cells: readonly string[]): boolean {
  const { date, close } = positionsOf(cells.map(bareName));
  return date !== -1 && close !== -1;
}

interface Preset {
  readonly source: string;
  /** Bare names, all of which its files have, and nobody else's together. */
  readonly names: string;
  /** A name that they lack. */
  readonly without?: string;
  /** The form in which it always writes dates; absent: several. */
  readonly dateFormat?: DateFormat;
}

/** Forms of 2020 to 2026. */
const PRESETS: readonly Preset[] = [
  { source: 'Stooq', names: 'ticker, per, date, time, open, high, low, close, vol, openint' },
  { source: 'MetaTrader', names: 'date, open, high, low, close, tickvol, vol, spread' },
  { source: 'Alpha Vantage', names: 'timestamp, open, high, low, close, adjusted close, dividend amount' },
  { source: 'Alpha Vantage', names: 'timestamp, open, high, low, close, volume' },
  { source: 'Nasdaq.com', names: 'date, close last, volume, open, high, low', dateFormat: 'MM/DD/YYYY' },
  { source: 'Investing.com', names: 'date, price, open, high, low, vol, change %' },
  { source: 'Investing.com', names: 'datum, zuletzt, eroffn, hoch, tief, vol' },
  { source: 'Interactive Brokers', names: 'date, open, high, low, close, volume, average, barcount' },
  { source: 'Barchart', names: 'time, open, high, low, latest, volume', dateFormat: 'MM/DD/YYYY' },
  { source: 'Tiingo', names: 'date, close, high, low, open, volume, adjclose, divcash, splitfactor' },
  { source: 'Quandl', names: 'date, open, high, low, close, ex dividend, split ratio, adj close' },
  { source: 'Yahoo', names: 'date, open, high, low, close, adj close, volume' },
  { source: 'Bloomberg', names: 'px last' },
  { source: 'ARIVA', names: 'datum, erster, hoch, tief, schlusskurs, stuecke' },
  { source: 'TradingView', names: 'time, open, high, low, close', without: 'date' },
];

/** @param names bare names */
export const presetOf = (names: readonly string[]): Preset | null =>
  PRESETS.find(
    (preset) =>
      preset.names.split(', ').every((name) => names.includes(name)) && !names.includes(preset.without ?? '-'),
  ) ?? null;
