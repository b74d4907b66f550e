// Renderer, watch: the front door.

export { glyphOf, wordOf } from './row-words.ts';
export { WatchPage } from './watch-page.tsx';
