// Renderer, pure: the status of a price rule: symbols with a current, an old or no price.
// It also has the symbols that meet the condition already.
import type { Row } from '../../../shared/channels/state.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { roundedPrice } from '../../../shared/lib/price-digits.ts';
import { isInScope, type Rule } from '../../../shared/settings/alert-rules.ts';
import { isMetBy, quoteOf } from '../../../shared/settings/price-conditions.ts';
import { texts } from '../../../shared/text/texts.ts';

export interface PriceStatus {
  /** Symbols with a current price. */
  readonly fresh: readonly string[];
  /** The `fresh` symbols that meet the condition now. */
  readonly met: readonly string[];
  readonly stale: readonly string[];
  readonly without: readonly string[];
  /** Symbols that the rule names and no watchlist has. */
  readonly unwatched: readonly string[];
}

/** Whether the rule's conditions besides the price cover a watched symbol. */
function covers(
  { scope, except, classes }: Pick<Rule, 'scope' | 'except' | 'classes'>,
  symbol: string,
  row: Row | undefined,
  watchlists: readonly Watchlist[],
): boolean {
  const listsOf = (one: string): string[] =>
    watchlists.flatMap((list) => (symbolsOf(list).includes(one) ? [list.id] : []));
  const isWatched = (one: string): boolean => listsOf(one).length > 0;
  const assetClass = row?.signal?.asset_class ?? null;
  const isOfClass = classes === null || (assetClass !== null && classes.includes(assetClass));
  return isInScope({ scope }, symbol, { isWatched, listsOf }) && !except.includes(symbol) && isOfClass;
}

/** The prices of a watched symbol at which these rules notify; a change within minutes has none. */
export function alertLevelsOf(rules: readonly Rule[], row: Row, watchlists: readonly Watchlist[]): number[] {
  if (!watchlists.some((list) => symbolsOf(list).includes(row.symbol))) return [];
  const quote = quoteOf(row);
  const levels = rules.flatMap((rule): number[] => {
    const { price: condition } = rule;
    if (condition === null || !rule.enabled || !covers(rule, row.symbol, row, watchlists)) return [];
    if (condition.kind === 'level') return [condition.level];
    if (condition.minutes !== null || quote === 'none' || quote === 'stale' || quote.changePercent === null) return [];
    const close = quote.price / (1 + quote.changePercent / 100);
    const level = close * (1 + (condition.direction === 'up' ? condition.percent : -condition.percent) / 100);
    return [roundedPrice(level)];
  });
  return [...new Set(levels)];
}

/** null: the rule is not on a price. */
export function priceStatusOf(
  rule: Pick<Rule, 'price' | 'scope' | 'except' | 'classes'>,
  rows: Readonly<Record<string, Row>>,
  watchlists: readonly Watchlist[],
): PriceStatus | null {
  const { price: condition, scope } = rule;
  if (condition === null) return null;
  const watched = new Set(watchlists.flatMap(symbolsOf));
  const status = { fresh: [] as string[], met: [] as string[], stale: [] as string[], without: [] as string[] };
  for (const symbol of watched) {
    const row = rows[symbol];
    if (!covers(rule, symbol, row, watchlists)) continue;
    const quote = row === undefined || row.coverage === 'unknown' ? 'stale' : quoteOf(row);
    if (quote === 'none') status.without.push(symbol);
    else if (quote === 'stale') status.stale.push(symbol);
    else {
      status.fresh.push(symbol);
      if (isMetBy(condition, quote) === true) status.met.push(symbol);
    }
  }
  const unwatched = scope.kind === 'symbols' ? scope.symbols.filter((symbol) => !watched.has(symbol)) : [];
  return { ...status, unwatched };
}

/** The status in sentences, the most serious first; the first one is about whether the rule works. */
export function priceStatusText(rule: Pick<Rule, 'price'>, status: PriceStatus): string[] {
  const { status: text } = texts.priceRules;
  const { fresh, met, stale, without, unwatched } = status;
  if (rule.price === null) return [];
  return [
    fresh.length + stale.length === 0 ? text.none : '',
    stale.length === 0 ? '' : text.stale(stale),
    unwatched.length === 0 ? '' : text.unwatched(unwatched),
    without.length === 0 ? '' : text.without(without),
    met.length === 0 ? '' : text.met(met, rule.price),
    fresh.length === 0 ? '' : text.watching(fresh.length),
  ].filter((part) => part !== '');
}
