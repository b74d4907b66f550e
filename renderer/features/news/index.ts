// Renderer, news: the front door.
import { en } from '../../text/en.ts';
import { laterPage } from '../../ui/later.tsx';

export const NewsPage = laterPage(en.pages.news, async () => (await import('./news-page.tsx')).NewsPage);
