// Renderer, news: exports to other folders.
import { texts } from '../../../shared/text/texts.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export const NewsPage = lazyPage(texts.common.pages.news, async () => (await import('./news-page.tsx')).NewsPage);
