// Renderer, alerts: exports to other folders.
import { texts } from '../../../shared/text/texts.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export const AlertsPage = lazyPage(
  texts.common.pages.alerts,
  async () => (await import('./alerts-page.tsx')).AlertsPage,
);
