// Renderer, briefings: exports to other folders.
import { texts } from '../../../shared/text/texts.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export { useBriefingsBadge } from './use-archive.ts';
export { useMarkAllRead } from './use-mark-all-read.ts';
export const BriefingsPage = lazyPage(
  texts.common.pages.briefings,
  async () => (await import('./briefings-page.tsx')).BriefingsPage,
);
