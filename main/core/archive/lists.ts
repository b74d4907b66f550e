// Main, core: lists and searches of the archive, read only.
// Without terms they take microseconds; with terms they run in the reader's thread.
import type { Database } from 'better-sqlite3';
import type {
  BriefingRow as BriefingListRow,
  BriefingPage,
  BriefingQuery,
  NewsPage,
  NewsQuery,
} from '../../../shared/channels/archive.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import { message } from '../../../shared/text/message.ts';
import { BRIEFING_COLUMNS, type BriefingRow, headOf } from './briefings.ts';
import { flagsOf } from './flags.ts';
import { matchOf, segmentsOf, snippet } from './match.ts';
import { NEWS_COLUMNS, type NewsRow, newsOf } from './news.ts';
import { firstPosition, lastPosition } from './positions.ts';

const EXCERPT_TERMS = 24;
const TEXT = `CASE WHEN b.body IS NOT NULL THEN 'here' WHEN b.text_pending = 1 THEN 'awaited' ELSE 'none' END`;
type Value = string | number;

interface Filter {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** @throws RefusedError where the cursor is invalid */
export function listBriefings(db: Database, query: BriefingQuery): BriefingPage {
  const found = list<BriefingRow & { text: BriefingListRow['text'] }>(
    db,
    'briefing',
    `${BRIEFING_COLUMNS}, ${TEXT} AS text`,
    briefingFilters(query),
    query,
  );
  return {
    rows: found.rows.map((row) => ({ ...headOf(row), ...flagsOf(row), text: row.text, excerpt: excerptOf(row) })),
    next: found.next,
    total: found.total,
  };
}

/** Ids of the unread briefings of a list, newest first. */
export function unreadBriefings(db: Database, query: Omit<BriefingQuery, 'after' | 'limit' | 'unread'>): string[] {
  const filters = briefingFilters({ ...query, unread: true });
  const whole = { ...query, after: null, limit: MAX_UNREAD };
  return list<{ n: number; id: string }>(db, 'briefing', 'b.n, b.id', filters, whole).rows.map(({ id }) => id);
}
const MAX_UNREAD = 1_000_000;

function briefingFilters({ box, unread, types, authors }: Omit<BriefingQuery, 'after' | 'limit'>): Filter[] {
  const filters: Filter[] = [];
  if (box !== 'all') filters.push({ sql: `b.${box} = 1`, values: [] });
  if (unread && box !== 'unread') filters.push({ sql: 'b.unread = 1', values: [] });
  if (types !== null) filters.push(anyOf('b.type', types));
  if (authors !== null) filters.push(anyOf('b.author', authors));
  return filters;
}

/** @throws RefusedError where the cursor is invalid */
export function listNews(db: Database, query: NewsQuery, sources: string[]): NewsPage {
  const filters: Filter[] = [];
  if (query.sentiment !== null) filters.push({ sql: 'b.label = ?', values: [query.sentiment] });
  if (query.source !== null) filters.push({ sql: 'b.source = ?', values: [query.source] });
  const found = list<NewsRow>(db, 'news', NEWS_COLUMNS, filters, query);
  return {
    rows: found.rows.map((row) => ({ ...newsOf(row), excerpt: excerptOf(row) })),
    next: found.next,
    total: found.total,
    sources,
  };
}

const TABLES = {
  briefing: { table: 'briefings', index: 'briefings_fts', symbols: 'briefing_symbols' },
  news: { table: 'news', index: 'news_fts', symbols: 'news_symbols' },
} as const;

type Listing = Pick<BriefingQuery, 'symbol' | 'text' | 'from' | 'to' | 'after' | 'limit'>;
type ExcerptRow<Row> = Row & { readonly excerpt: string | null };

/**
 * Newest first; rows without a time come last, and only without a range. The cursor is the last row's
 * position.
 */
function list<Row extends { n: number }>(
  db: Database,
  what: keyof typeof TABLES,
  columns: string,
  given: readonly Filter[],
  query: Listing,
): { rows: ExcerptRow<Row>[]; next: string | null; total: number } {
  const { table, index, symbols } = TABLES[what];
  const match = query.text === '' ? null : matchOf(query.text);
  if (query.text !== '' && match === null) return { rows: [], next: null, total: 0 };
  // The leading table returns rows newest first: the index of terms, a symbol's own list, or the table
  // itself.
  const lead = match !== null ? 'index' : query.symbol !== null ? 'symbols' : 'table';
  const positionColumn = { index: 'w.rowid', symbols: 's.n', table: 'b.n' }[lead];
  const filters = [...given];
  if (lead === 'symbols' && query.symbol !== null) filters.push({ sql: 's.symbol = ?', values: [query.symbol] });
  else if (query.symbol !== null)
    filters.push({
      sql: `EXISTS (SELECT 1 FROM ${symbols} s WHERE s.symbol = ? AND s.n = ${positionColumn})`,
      values: [query.symbol],
    });
  if (query.from !== null)
    filters.push({ sql: `${positionColumn} >= ?`, values: [firstPosition(Date.parse(query.from))] });
  if (query.to !== null)
    filters.push({
      sql: `${positionColumn} BETWEEN 0 AND ?`,
      values: [lastPosition(Date.parse(query.to))],
    });
  if (match !== null) filters.unshift({ sql: `${index} MATCH ?`, values: [match] });
  const leader = { index: `${index} w`, symbols: `${symbols} s`, table: `${table} b` }[lead];
  const source = lead === 'table' ? leader : `${leader} CROSS JOIN ${table} b ON b.n = ${positionColumn}`;
  // Where the leading table covers every filter, the rows themselves are not counted.
  const counted = given.length === 0 ? leader : source;
  const total = db
    .prepare<Value[], { many: number }>(`SELECT count(*) AS many FROM ${counted} ${where(filters)}`)
    .get(...values(filters));

  // The unary plus keeps SQLite from using the index of a filter, whose rows it would have to sort.
  const steady = filters.map(({ sql, values }) => ({
    sql: sql.replace(/^b\.(type|author|label|source) /, '+$&'),
    values,
  }));
  const page =
    query.after === null ? steady : [...steady, { sql: `${positionColumn} < ?`, values: [cursorOf(query.after)] }];
  const excerpt = match === null ? 'NULL' : snippet(index, EXCERPT_TERMS);
  const rows = db
    .prepare<Value[], ExcerptRow<Row>>(
      `SELECT ${columns}, ${excerpt} AS excerpt FROM ${source} ${where(page)} ORDER BY ${positionColumn} DESC LIMIT ?`,
    )
    .all(...values(page), query.limit + 1);
  const last = rows.length > query.limit ? rows[query.limit - 1] : undefined;
  return {
    rows: rows.slice(0, query.limit),
    next: last === undefined ? null : String(last.n),
    total: total?.many ?? 0,
  };
}

const where = (filters: readonly Filter[]): string =>
  filters.length === 0 ? '' : `WHERE ${filters.map(({ sql }) => sql).join(' AND ')}`;
const values = (filters: readonly Filter[]): Value[] => filters.flatMap((filter) => filter.values);
const anyOf = (column: string, accepted: readonly string[]): Filter => ({
  sql: `${column} IN (SELECT value FROM json_each(?))`,
  values: [JSON.stringify(accepted)],
});
const excerptOf = ({ excerpt }: { readonly excerpt: string | null }) => (excerpt === null ? null : segmentsOf(excerpt));

function cursorOf(after: string): number {
  if (/^-?\d{1,16}$/.test(after)) return Number(after);
  throw new RefusedError({
    code: 'bad_input',
    message: message('archive.unknown_cursor'),
  });
}
