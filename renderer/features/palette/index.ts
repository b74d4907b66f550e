// Renderer, palette: exports to other folders.
// The palette is not loaded late: keys typed right after Ctrl K would be commands of the page.
export { Palette } from './palette.tsx';
