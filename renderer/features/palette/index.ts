// Renderer, palette: exports to other folders.
export { Palette } from './palette-dialog.tsx';
