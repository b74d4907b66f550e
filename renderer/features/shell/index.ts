// Renderer, shell: the front door.
export { Frame } from './frame.tsx';
export { NoSessionNotice, Waiting } from './waiting.tsx';
