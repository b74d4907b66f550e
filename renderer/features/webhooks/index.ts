// Renderer, webhooks: exports to other folders.
import { en } from '../../text/en.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export const WebhooksPage = lazyPage(en.pages.webhooks, async () => (await import('./webhooks-page.tsx')).WebhooksPage);
