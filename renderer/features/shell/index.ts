// Renderer, shell: exports to other folders.
export { Frame } from './frame.tsx';
export { NoSessionNotice, Waiting } from './waiting.tsx';
