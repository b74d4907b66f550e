// Renderer, palette: exports to other folders.
import { texts } from '../../../shared/text/texts.ts';
import { lazyDialog } from '../../ui/lazy.tsx';

export const Palette = lazyDialog(texts.common.find, async () => (await import('./palette.tsx')).Palette);
