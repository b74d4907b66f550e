// Renderer, webhooks: exports to other folders.
import { texts } from '../../../shared/text/texts.ts';
import { lazyComponent } from '../../ui/lazy.tsx';

export const WebhooksSection = lazyComponent(
  texts.settings.section.webhooks,
  async () => (await import('./webhooks-section.tsx')).WebhooksSection,
);
