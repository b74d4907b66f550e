// Renderer, alerts: exports to other folders.
import { en } from '../../text/en.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export const AlertsPage = lazyPage(en.pages.alerts, async () => (await import('./alerts-page.tsx')).AlertsPage);
