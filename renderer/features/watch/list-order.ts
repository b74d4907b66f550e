// Renderer, pure: which rows of a watchlist are shown, and their order: the trader's sections, or sorted.
import type { Row } from '../../../shared/channels/state.ts';
import type { FallCost, HoldingLists } from '../../../shared/domain/holdings.ts';
import type { RiskOrder } from '../../../shared/domain/risk-order.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { COLUMNS, type Column, type Sort } from '../../store/preferences.ts';
import type { SymbolView } from '../../store/select.ts';
import { type ListView, matcherOf } from './list-views.ts';
import { rowValues } from './row-values.ts';

/** An entry of the list, from top to bottom. */
export type ListItem =
  | {
      readonly kind: 'head';
      readonly key: string;
      readonly name: string;
      readonly symbols: readonly string[];
      /** Its index among the list's sections. */
      readonly section: number;
    }
  | { readonly kind: 'row'; readonly key: string; readonly symbol: string };

export interface KnownRows {
  readonly rows: Readonly<Record<string, Row>>;
  readonly viewOf: (symbol: string) => SymbolView;
  /** All lists, with their holdings. */
  readonly lists: HoldingLists;
}

export interface OrderOptions extends KnownRows {
  readonly sort: Sort | null;
  readonly view: ListView;
  readonly order: RiskOrder;
}

const rowOf = (symbol: string): ListItem => ({ kind: 'row', key: symbol, symbol });

/** A sorted list has no headings; a heading above no shown row is left out, unless all rows are shown. */
export function listItems(list: Watchlist, options: OrderOptions): ListItem[] {
  const { sort, view, rows, lists } = options;
  const isShown = matcherOf(view, rows, lists);
  if (sort !== null) return sorted(symbolsOf(list).filter(isShown), sort, options).map(rowOf);
  return list.sections.flatMap(({ name, symbols: all }, section): ListItem[] => {
    const symbols = all.filter(isShown);
    if (symbols.length === 0 && view !== 'all') return [];
    return [{ kind: 'head', key: `§${section} ${name}`, name, symbols, section }, ...symbols.map(rowOf)];
  });
}

/** The columns with a value in any row. */
export function filledColumns(list: Watchlist, { rows, viewOf, lists }: KnownRows): Column[] {
  const symbols = symbolsOf(list);
  const held = symbols.filter(matcherOf('mine', rows, lists));
  return COLUMNS.filter((column) =>
    (column === 'risk' ? held : symbols).some(
      (symbol) => rowValues(symbol, rows[symbol], viewOf(symbol), lists)[column] !== null,
    ),
  );
}

/** Costs of different units cannot be compared: money comes first, by currency, then shares. */
const unitOf = (cost: FallCost | null): string => (cost?.unit === 'share' ? '1' : `0${cost?.currency ?? ''}`);

/** Rows without a value come last in either direction, and equals keep their order. */
function sorted(
  symbols: readonly string[],
  { column, descending }: Sort,
  { rows, viewOf, lists, order }: OrderOptions,
): readonly string[] {
  const sign = descending ? -1 : 1;
  if (column === 'symbol') return symbols.toSorted((a, b) => sign * a.localeCompare(b, 'en'));
  // By state, the worst of equals comes first, and last where the least comes first.
  const byRisk = column === 'state' ? symbols.toSorted(order.compareSymbols) : symbols;
  const keyed = byRisk.map((symbol, index) => {
    const view = viewOf(symbol);
    if (column === 'state') return { symbol, unit: '', value: view.kind === 'state' ? -index : null };
    const { cost, [column]: value } = rowValues(symbol, rows[symbol], view, lists);
    return { symbol, unit: column === 'risk' ? unitOf(cost) : '', value };
  });
  return keyed
    .sort((a, b) =>
      a.value === null || b.value === null
        ? Number(a.value === null) - Number(b.value === null)
        : a.unit.localeCompare(b.unit, 'en') || sign * (a.value - b.value),
    )
    .map(({ symbol }) => symbol);
}
