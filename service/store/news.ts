// Service, store: news items, and the validators of each feed.
import type { Database } from 'better-sqlite3';
import type { SENTIMENT_LABELS } from '../../shared/wire/news.ts';

export interface NewsItem {
  readonly id: string;
  readonly headline: string;
  readonly summary: string;
  readonly source: string;
  readonly url: string;
  /** World ms. */
  readonly publishedAt: number;
  readonly symbols: readonly string[];
  /** -1 to 1. */
  readonly score: number;
  readonly label: (typeof SENTIMENT_LABELS)[number];
}

export interface NewsFilter {
  readonly symbols: readonly string[] | null;
  /** World ms, inclusive. */
  readonly from: number;
  readonly to: number;
}

/** Position of a row in the list of news, newest first; by world ms, then by id. */
export interface NewsPosition {
  readonly publishedAt: number;
  readonly id: string;
}

/** The server's validators of the last copy read. */
export interface FeedValidators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface NewsStore {
  /**
   * Writes items; an existing one stays unchanged. Call it within a transaction. @returns the number of new
   * ones
   */
  add(items: readonly NewsItem[]): number;
  /** Newest first, below `below` (null: from the newest). */
  list(filter: NewsFilter, below: NewsPosition | null, limit: number): NewsItem[];
  validators(feed: string): FeedValidators;
  setValidators(feed: string, validators: FeedValidators): void;
  /** Deletes items published before `instant`. */
  prune(instant: number): void;
}

/** A row: `symbols` is JSON. */
type Row = Omit<NewsItem, 'symbols'> & { readonly symbols: string };

const NO_VALIDATORS: FeedValidators = { etag: null, lastModified: null };

export function openNews(database: Database): NewsStore {
  const insert = database.prepare<[Row]>(
    `INSERT INTO news (id, headline, summary, source, url, published_at, symbols, score, label)
     VALUES (:id, :headline, :summary, :source, :url, :publishedAt, :symbols, :score, :label) ON CONFLICT (id) DO NOTHING`,
  );
  const list = database.prepare<unknown[], Row>(
    `SELECT id, headline, summary, source, url, published_at AS publishedAt, symbols, score, label FROM news WHERE published_at >= :from AND published_at <= :to AND (published_at, id) < (:belowAt, :belowId)
       AND (:symbols IS NULL OR EXISTS (SELECT 1 FROM json_each(news.symbols) one WHERE one.value IN (SELECT value FROM json_each(:symbols))))
     ORDER BY published_at DESC, id DESC LIMIT :limit`,
  );
  const validators = database.prepare<[string], FeedValidators>(
    'SELECT etag, last_modified AS lastModified FROM feeds WHERE url = ?',
  );
  const setValidators = database.prepare<[string, string | null, string | null]>(
    `INSERT INTO feeds (url, etag, last_modified) VALUES (?, ?, ?)
     ON CONFLICT (url) DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified`,
  );
  const prune = database.prepare<[number]>('DELETE FROM news WHERE published_at < ?');

  return {
    add: (items) =>
      items.reduce((sum, item) => sum + insert.run({ ...item, symbols: JSON.stringify(item.symbols) }).changes, 0),
    list: ({ symbols, from, to }, below, limit) =>
      list
        .all({
          from,
          to,
          symbols: symbols === null ? null : JSON.stringify(symbols),
          belowAt: below?.publishedAt ?? Number.MAX_SAFE_INTEGER,
          belowId: below?.id ?? '',
          limit,
        })
        .map((row) => ({ ...row, symbols: JSON.parse(row.symbols) as string[] })),
    validators: (feed) => validators.get(feed) ?? NO_VALIDATORS,
    setValidators: (feed, { etag, lastModified }) => void setValidators.run(feed, etag, lastModified),
    prune: (instant) => void prune.run(instant),
  };
}
