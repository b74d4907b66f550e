// Renderer, briefings: exports to other folders.
import { en } from '../../text/en.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export { useBriefingsBadge } from './use-archive.ts';
export const BriefingsPage = lazyPage(
  en.pages.briefings,
  async () => (await import('./briefings-page.tsx')).BriefingsPage,
);
