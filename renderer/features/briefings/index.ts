// Renderer, briefings: the front door.
import { en } from '../../text/en.ts';
import { laterPage } from '../../ui/later.tsx';

export { useBriefingsBadge } from './use-archive.ts';
export const BriefingsPage = laterPage(
  en.pages.briefings,
  async () => (await import('./briefings-page.tsx')).BriefingsPage,
);
