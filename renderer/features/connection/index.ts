// Renderer, connection: exports to other folders.
import { texts } from '../../../shared/text/texts.ts';
import { lazyComponent } from '../../ui/lazy.tsx';

export const ConnectionSection = lazyComponent(
  texts.settings.section.connection,
  async () => (await import('./connection-section.tsx')).ConnectionSection,
);
