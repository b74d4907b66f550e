// Renderer, webhooks: its front door.
import { en } from '../../text/en.ts';
import { laterPage } from '../../ui/later.tsx';

export const WebhooksPage = laterPage(
  en.pages.webhooks,
  async () => (await import('./webhooks-page.tsx')).WebhooksPage,
);
