// Renderer, connection: exports to other folders.
import { texts } from '../../../shared/text/texts.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export const ConnectionPage = lazyPage(
  texts.common.pages.connection,
  async () => (await import('./connection-page.tsx')).ConnectionPage,
);
