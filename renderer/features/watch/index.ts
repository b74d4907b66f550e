// Renderer, watch: exports to other folders.

export { glyphOf, labelOf } from './row-label.ts';
export { WatchPage } from './watch-page.tsx';
