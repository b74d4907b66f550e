// Renderer, watch: the front door.
export { WatchPage } from './watch-page.tsx';
