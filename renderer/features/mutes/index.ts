// Renderer, mutes: what other folders may import.
export { MutedView } from './muted-view.tsx';
