// Renderer, connection: its front door.
import { en } from '../../text/en.ts';
import { laterPage } from '../../ui/later.tsx';

export const ConnectionPage = laterPage(
  en.pages.connection,
  async () => (await import('./connection-page.tsx')).ConnectionPage,
);
