// Renderer, palette: the front door.
import { en } from '../../text/en.ts';
import { laterDialog } from '../../ui/later.tsx';

export const Palette = laterDialog(en.find, async () => (await import('./palette.tsx')).Palette);
