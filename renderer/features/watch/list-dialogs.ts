// Renderer: what opens over the watchlist; its code loads when it is needed, or before when the window is idle.
import { texts } from '../../../shared/text/texts.ts';
import { lazyDialog } from '../../ui/lazy.tsx';

export const AddSymbols = lazyDialog(texts.lists.add, async () => (await import('./add-symbols.tsx')).AddSymbols);
export const AskName = lazyDialog(texts.lists.renameList, async () => (await import('../../ui/ask-name.tsx')).AskName);
export const HoldingsDialog = lazyDialog(
  texts.lists.holdings.menu,
  async () => (await import('./holdings-dialog.tsx')).HoldingsDialog,
);
