// Renderer, notification channels: exports to other folders.
import { texts } from '../../../shared/text/texts.ts';
import { lazyComponent } from '../../ui/lazy.tsx';

export const ChannelsSection = lazyComponent(
  texts.settings.section.channels,
  async () => (await import('./channels-section.tsx')).ChannelsSection,
);
