// Service, news: the interface of news for the routes, whatever the source.
import type { NewsFilter, NewsItem, NewsPosition } from '../store/news.ts';

export interface NewsService {
  /** Newest first, below `below` (null: from the newest). */
  list(filter: NewsFilter, below: NewsPosition | null, limit: number): NewsItem[];
  /** Starts to poll for news. */
  start(): void;
  stop(): void;
}
