// Pure: names and classes of instruments (contract 12, 13, 15).

export const ASSET_CLASSES = ['equity', 'etf', 'index', 'crypto', 'fx'] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

/** Tickers are case-insensitive; the pattern applies to upper case. */
export const SYMBOL_PATTERN = /^[A-Z0-9.^=-]{1,15}$/;

export const normalizeSymbol = (text: string): string => text.trim().toUpperCase();
export const isSymbol = (text: string): boolean => SYMBOL_PATTERN.test(text);

/** "NYSE:IBM" is IBM, "BRK B" and "BRK/B" are BRK.B; spreadsheets mark text with an apostrophe. */
export const symbolIn = (cell: string): string =>
  normalizeSymbol((cell.split(':').at(-1) ?? '').replace(/^'/, '')).replace(/^([A-Z]{1,5})[ /]([A-Z])$/, '$1.$2');
