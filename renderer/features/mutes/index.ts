// Renderer, mutes: exports to other folders.
export { MutedView } from './muted-view.tsx';
