// Renderer, news: the front door.
export { NewsPage } from './news-page.tsx';
