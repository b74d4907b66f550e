// Renderer, watch: what other folders may import.

export { glyphOf, labelOf } from './row-label.ts';
export { WatchPage } from './watch-page.tsx';
