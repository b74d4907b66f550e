// Renderer, news: exports to other folders.
import { en } from '../../text/en.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export const NewsPage = lazyPage(en.pages.news, async () => (await import('./news-page.tsx')).NewsPage);
