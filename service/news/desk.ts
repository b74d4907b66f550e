// Service, news: what the routes see of news, wherever it comes from.
import type { NewsFilter, NewsItem, NewsPlace } from '../store/news.ts';

export interface NewsDesk {
  /** Newest first, below `below` (null: from the newest). */
  list(filter: NewsFilter, below: NewsPlace | null, limit: number): NewsItem[];
  /** Begins to look for news. */
  start(): void;
  stop(): void;
}
