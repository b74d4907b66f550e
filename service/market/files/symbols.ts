// Service, price files: the symbol in a vendor's cell, or in the name of a file.
import { isSymbol, symbolIn } from '../../../shared/domain/instruments.ts';

/** Words of file names that are no symbols: what is in the file, how often, from where. */
const WORDS = new Set(
  `adj adjusted all bars candles chart close closes copy csv d d1 daily data day days download downloads eod export file
  final full hist historic historical historicaldata history hourly h1 h4 index intraday kurse m1 m5 m15 m30 max my new ohlc ohlcv old
  price prices quote quotes raw sample series split stock stocks table test ticker time unadjusted us w weekly wkn
  adjsplit adjsplitdiv ask bid calls candlestick coinmarketcap daten equity eq historicalprices historische macrotrends puts to total wiki xnas xnys
  1d 1day 1h 4h 5m 15m 30m 1440 240 60 1min 5min 15min 30min 60min 1y 2y 3y 5y 10y 20y
  book market merged output portfolio report result results sheet summary
  tabelle blatt feuil feuille hoja foglio planilha folha blad arkusz sayfa q1 q2 q3 q4
  amex arca bats binance bitstamp cboe coinbase eodhd etr fx idc kraken lse nasdaq nyse nysearca oanda otc stooq tsx tvc
  xetra yahoo curncy comdty etf fund`.split(/\s+/),
);

export const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Names that programs give to sheets, in the languages that exports are in. */
const SHEET =
  /^(sheet|table|book|chart|page|tabelle|blatt|feuil|feuille|hoja|foglio|planilha|folha|blad|arkusz|ark|list|taul|munka|sayfa)\d+$/i;

/** Whether a part of a name is no symbol: a word, a year, a number of a copy. */
export const isWord = (part: string): boolean =>
  part === '' || WORDS.has(part.toLowerCase()) || SHEET.test(part) || /^((19|20)\d{2}|\d{1,2})$/.test(part);

/** "NASDAQ:AAPL", "AAPL.US", "US.AAPL", "AAPL US Equity" and "BTC/USD" as AAPL and BTCUSD. */
export const vendorSymbol = (cell: string): string =>
  symbolIn(cell)
    .replace(/ US EQUITY$|\.US$|^US\.(?=[A-Z])| INDEX$| CURNCY$/, '')
    .replace(/^(HK)\.0?(\d{4,5})$|^(SH|SZ)\.(\d{6})$/, '$2$4.$1$3')
    .replace(/^([A-Z]{2,5})\/([A-Z]{3,4})$/, '$1$2');

export interface NamedSymbol {
  /** null: the name of the file does not say it, or says several things. */
  readonly symbol: string | null;
  readonly candidates: readonly string[];
}

/**
 * The symbol that a file is named after: "AAPL.csv", "aapl.us.txt", "daily_AAPL.csv", "AAPL (1).csv",
 * "BATS_SPY, 1D.csv". Apple.csv may be a company, and 840400.csv any number: these are candidates alone.
 */
export function symbolOfName(file: string): NamedSymbol {
  const stem = file
    .replace(/^.*[\\/]/, '')
    .replace(/(\.(csv|txt|tsv|gz|zip|xlsx))+$/i, '')
    .replace(/\(\d+\)|\d{4}-\d{2}(-\d{2})?|\d{2}([-.])\d{2}\2\d{4}|\d{8,}/g, ' ')
    // TradingView ends names with five digits of a hash.
    .replace(/_(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{5}$/, '')
    .replace(/^([A-Z]{6})(1|5|15|30|60|240)$|^(\S*[A-Z]\S*)1440$/, '$1$3');
  const parts = stem
    .split(/[\s_,()[\]]+/)
    .map((part) =>
      part
        .split('-')
        .filter((one) => !isWord(one))
        .join('-'),
    )
    .filter((part) => part !== '');
  // ALL, DAY and D are words, and shares.
  const candidates = [...new Set((parts.length > 0 ? parts : [stem.trim()]).map(vendorSymbol))].filter(isSymbol);
  const [part = ''] = parts;
  // Vendors write a ticker in one case, in small letters a short one.
  const isTicker =
    (part === part.toUpperCase() && /[A-Z]/.test(part)) || /^\^?[a-z][a-z0-9]{0,6}(\.[a-z]+)?$/.test(part);
  return { symbol: parts.length === 1 && isTicker ? (candidates[0] ?? null) : null, candidates };
}

/**
 * The symbol that a file is named after, or a sheet. One in capitals counts, unless it is a letter or a currency.
 * Where both name one, and differ, neither counts.
 */
export function symbolOfNames(file: string, sheet: string | null): NamedSymbol {
  const ofFile = symbolOfName(file);
  if (sheet === null || sheet.split(/[\s_,()-]+/).every(isWord)) return ofFile;
  const ofSheet = symbolOfName(sheet);
  const isTicker = sheet === sheet.toUpperCase() && sheet.length > 1 && !CURRENCIES.has(sheet);
  const said = new Set([ofFile.symbol, isTicker ? ofSheet.symbol : null]);
  said.delete(null);
  const [symbol = null] = said;
  return {
    symbol: said.size === 1 ? symbol : null,
    candidates: [...new Set([...ofSheet.candidates, ...ofFile.candidates])],
  };
}
