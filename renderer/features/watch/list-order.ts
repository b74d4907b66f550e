// Renderer, pure: the order of a watchlist's rows: by section, by state or in one group, or sorted.
import type { Row } from '../../../shared/channels/state.ts';
import type { RiskOrder } from '../../../shared/domain/risk-order.ts';
import { type State, stateLabel } from '../../../shared/domain/states.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import type { Grouping, Sort } from '../../store/preferences.ts';
import { fallChanceOf, type SymbolView } from '../../store/select.ts';
import { breachDistance } from './row-label.ts';

/** An entry of the list, from top to bottom. */
export type ListItem =
  | {
      readonly kind: 'head';
      readonly key: string;
      readonly name: string;
      readonly symbols: readonly string[];
      /** Its index among the list's sections; null in another grouping. */
      readonly section: number | null;
    }
  | { readonly kind: 'row'; readonly key: string; readonly symbol: string };

export interface OrderOptions {
  readonly grouping: Grouping;
  readonly sort: Sort | null;
  readonly rows: Readonly<Record<string, Row>>;
  readonly viewOf: (symbol: string) => SymbolView;
  readonly order: RiskOrder;
  /** Heading of symbols whose state is unknown, when grouped by state. */
  readonly offlineHeading: string;
}

export function listItems(list: Watchlist, options: OrderOptions): ListItem[] {
  return groupsOf(list, options).flatMap((group): ListItem[] => {
    const rows = sorted(group.symbols, options).map((symbol): ListItem => ({ kind: 'row', key: symbol, symbol }));
    return group.name === null ? rows : [{ ...group, kind: 'head', key: `§${group.key}`, name: group.name }, ...rows];
  });
}

interface Group {
  readonly key: string;
  /** null: a group without a heading. */
  readonly name: string | null;
  readonly symbols: readonly string[];
  readonly section: number | null;
}

function groupsOf(list: Watchlist, { grouping, viewOf, order, offlineHeading }: OrderOptions): Group[] {
  if (grouping === 'sections')
    return list.sections.map((each, section) => ({ ...each, key: `${section} ${each.name}`, section }));
  const symbols = symbolsOf(list);
  if (grouping === 'none') return [{ key: 'all', name: null, symbols, section: null }];
  const stateOf = (symbol: string): State | null => {
    const view = viewOf(symbol);
    return view.kind === 'state' ? view.state : null;
  };
  return ([2, 1, 0, null] as const)
    .map((state) => ({
      key: String(state),
      name: state === null ? offlineHeading : stateLabel(state),
      symbols: symbols.filter((symbol) => stateOf(symbol) === state).sort(order.compareSymbols),
      section: null,
    }))
    .filter((group) => group.symbols.length > 0);
}

/** Sorted by a column; rows without a value come last in either direction, and equals keep their order. */
function sorted(symbols: readonly string[], { sort, rows, viewOf, order }: OrderOptions): readonly string[] {
  if (sort === null) return symbols;
  const { column, descending } = sort;
  const byRisk = column === 'state' ? symbols.toSorted(order.compareSymbols) : symbols;
  const keyed = byRisk.map((symbol, index) => {
    const value = sortValue(column, symbol, rows[symbol], viewOf(symbol));
    // By state, the worst of equals comes first, and last where the least comes first.
    return { symbol, value: column === 'state' && value !== null ? -index : value };
  });
  const sign = descending ? -1 : 1;
  return keyed
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      if (typeof a.value === 'string' || typeof b.value === 'string')
        return sign * String(a.value).localeCompare(String(b.value), 'en');
      return sign * (a.value - b.value);
    })
    .map(({ symbol }) => symbol);
}

function sortValue(
  column: Sort['column'],
  symbol: string,
  row: Row | undefined,
  view: SymbolView,
): number | string | null {
  if (column === 'symbol') return symbol;
  if (column === 'age') return row?.received_at == null ? null : -Date.parse(row.received_at);
  const signal = view.kind === 'state' ? (row?.signal ?? null) : null;
  // A symbol without a signal can have a price and its change, from the quote.
  if (column === 'price') return signal?.price ?? row?.quote?.price ?? null;
  if (column === 'change') return signal?.change_pct ?? row?.quote?.change_pct ?? null;
  if (signal === null) return null;
  if (column === 'state') return signal.state;
  // Sorts by duration: the later a state began, the shorter.
  if (column === 'since') return signal.since === null ? null : -Date.parse(signal.since);
  if (column === 'breach') return breachDistance(signal);
  return fallChanceOf(signal)?.percent ?? null;
}
