// Service, routes: builds one page of a list.
import type { List } from '../../shared/wire/records.ts';
import { Refusal } from '../refusal.ts';

/**
 * Builds a page from up to `limit + 1` rows; the extra row proves that there is a next page. `next` encodes
 * the position of the last row as a cursor.
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => Item,
  next: (last: Row) => string,
): List<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const has_more = rows.length > limit && last !== undefined;
  return { data: shown.map(item), has_more, next_cursor: has_more ? next(last) : null };
}

/**
 * Parses a range in ms, both ends inclusive. @throws Refusal invalid_request when it ends before it begins
 */
export function rangeOf(query: { from?: string | undefined; to?: string | undefined }): {
  from: number | null;
  to: number | null;
} {
  const from = query.from === undefined ? null : Date.parse(query.from);
  const to = query.to === undefined ? null : Date.parse(query.to);
  if (from !== null && to !== null && from > to) throw new Refusal('invalid_request', 'from: must not be after to');
  return { from, to };
}
