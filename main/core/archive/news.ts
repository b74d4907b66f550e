// Main, core: the news of the archive, within their retention.
import type { Database } from 'better-sqlite3';
import { type KeptNews, KeptNewsSchema } from '../../../shared/channels/archive.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import {
  createPruner,
  isUntimed,
  joinSymbols,
  positionFinder,
  splitSymbols,
  timeOfPosition,
  untimedInstant,
} from './positions.ts';

export interface NewsStore {
  /** @param receivedAt ms @returns `false`: it was stored already */
  put(news: KeptNews, receivedAt: number): boolean;
  count(): number;
  sources(): string[];
  /** Deletes news published, else received, before the instant, ms. */
  prune(before: number): number;
}

export interface NewsRow {
  readonly n: number;
  readonly id: string;
  readonly headline: string;
  readonly summary: string;
  readonly source: string;
  /** Empty: none. */
  readonly url: string;
  readonly symbols: string;
  readonly score: number;
  /** Empty: no sentiment. */
  readonly label: string;
}
export const NEWS_COLUMNS = 'b.n, b.id, b.headline, b.summary, b.source, b.url, b.symbols, b.score, b.label';

export const newsOf = (row: NewsRow): KeptNews =>
  KeptNewsSchema.parse({
    id: row.id,
    headline: row.headline,
    summary: row.summary,
    source: row.source,
    url: row.url === '' ? null : row.url,
    published_at: isUntimed(row.n) ? null : timestamp(timeOfPosition(row.n)),
    symbols: splitSymbols(row.symbols),
    sentiment: row.label === '' ? null : { score: row.score, label: row.label },
  });

export function createNewsStore(db: Database): NewsStore {
  const nextPosition = positionFinder(db, 'news');
  const known = db.prepare<[string], { n: number }>('SELECT n FROM news WHERE id = ?');
  const insert = db.prepare(
    'INSERT INTO news (n, id, headline, summary, source, url, symbols, score, label) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const addSymbol = db.prepare('INSERT INTO news_symbols (symbol, n) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const count = db.prepare<[], { many: number }>('SELECT count(*) AS many FROM news');
  const sources = db.prepare<[], { source: string }>('SELECT DISTINCT source FROM news ORDER BY source LIMIT 500');
  const put = db.transaction((news: KeptNews, receivedAt: number): boolean => {
    if (known.get(news.id) !== undefined) return false;
    const { id, headline, summary, source, url, published_at, symbols, sentiment } = news;
    const n = nextPosition(published_at === null ? untimedInstant(receivedAt) : Date.parse(published_at));
    const { score, label } = sentiment ?? { score: 0, label: '' };
    insert.run(n, id, headline, summary, source, url ?? '', joinSymbols(symbols), score, label);
    for (const symbol of symbols) addSymbol.run(symbol, n);
    return true;
  });
  return {
    put,
    count: () => count.get()?.many ?? 0,
    sources: () => sources.all().map(({ source }) => source),
    prune: createPruner(db, 'news'),
  };
}
