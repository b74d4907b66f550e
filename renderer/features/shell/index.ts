// Renderer, shell: what other folders may import.
export { Frame } from './frame.tsx';
export { NoSessionNotice, Waiting } from './waiting.tsx';
