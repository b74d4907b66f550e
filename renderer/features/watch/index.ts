// Renderer, watch: the front door.

export { glyphOf, labelOf } from './row-label.ts';
export { WatchPage } from './watch-page.tsx';
