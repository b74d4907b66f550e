// Renderer, validation: exports to other folders.
import { texts } from '../../../shared/text/texts.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export const ValidationPage = lazyPage(
  texts.common.pages.record,
  async () => (await import('./validation-page.tsx')).ValidationPage,
);
