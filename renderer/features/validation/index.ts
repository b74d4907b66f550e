// Renderer, validation: the front door.
import { en } from '../../text/en.ts';
import { laterPage } from '../../ui/later.tsx';

export const ValidationPage = laterPage(
  en.pages.validation,
  async () => (await import('./validation-page.tsx')).ValidationPage,
);
