// Renderer, watch: exports to other folders.

export { openHoldings } from './holdings-open.ts';
export { glyphOf, labelOf } from './row-label.ts';
export { saveList } from './save-list.ts';
export { WatchPage } from './watch-page.tsx';
