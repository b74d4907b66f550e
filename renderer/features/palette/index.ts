// Renderer, palette: the front door.
export { Palette } from './palette.tsx';
