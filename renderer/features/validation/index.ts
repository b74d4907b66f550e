// Renderer, validation: exports to other folders.
import { en } from '../../text/en.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export const ValidationPage = lazyPage(
  en.pages.validation,
  async () => (await import('./validation-page.tsx')).ValidationPage,
);
