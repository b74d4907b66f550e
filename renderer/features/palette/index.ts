// Renderer, palette: exports to other folders.
import { en } from '../../text/en.ts';
import { lazyDialog } from '../../ui/lazy.tsx';

export const Palette = lazyDialog(en.find, async () => (await import('./palette.tsx')).Palette);
