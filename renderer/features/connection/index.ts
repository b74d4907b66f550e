// Renderer, connection: exports to other folders.
import { en } from '../../text/en.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export const ConnectionPage = lazyPage(
  en.pages.connection,
  async () => (await import('./connection-page.tsx')).ConnectionPage,
);
