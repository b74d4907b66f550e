// Pure: names and classes of instruments (contract 12, 13, 15).

export const ASSET_CLASSES = ['equity', 'etf', 'index', 'crypto', 'fx'] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

/** Tickers are case-insensitive; the pattern applies to upper case. */
export const SYMBOL_PATTERN = /^[A-Z0-9.^=-]{1,15}$/;

export const normalizeSymbol = (text: string): string => text.trim().toUpperCase();
export const isSymbol = (text: string): boolean => SYMBOL_PATTERN.test(text);
