// Service, news: what the routes see of news, wherever it comes from.
import type { NewsFilter, NewsItem, NewsPosition } from '../store/news.ts';

export interface NewsService {
  /** Newest first, below `below` (null: from the newest). */
  list(filter: NewsFilter, below: NewsPosition | null, limit: number): NewsItem[];
  /** Begins to poll for news. */
  start(): void;
  stop(): void;
}
