// Renderer, webhooks: exports to other folders.
import { texts } from '../../../shared/text/texts.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export const WebhooksPage = lazyPage(
  texts.common.pages.webhooks,
  async () => (await import('./webhooks-page.tsx')).WebhooksPage,
);
