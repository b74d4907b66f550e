// Service: parses the list filters of queries and of subscriptions.

/** `symbol` and `symbols` together, or null without either. */
export function symbolsOf(query: { symbol?: string | undefined; symbols?: string[] | undefined }): string[] | null {
  const all = [...(query.symbol === undefined ? [] : [query.symbol]), ...(query.symbols ?? [])];
  return all.length === 0 ? null : [...new Set(all)];
}

/** A list filter that is given and not empty, or null. */
export const listOrNull = <Item>(list: readonly Item[] | undefined): readonly Item[] | null =>
  list === undefined || list.length === 0 ? null : list;
