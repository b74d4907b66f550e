// Renderer, settings: exports to other folders.
import { texts } from '../../../shared/text/texts.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export { Updated, useUpdated } from './changelog.tsx';
export { useSettingsBadge } from './use-badge.ts';
export const SettingsPage = lazyPage(
  texts.common.pages.settings,
  async () => (await import('./settings-page.tsx')).SettingsPage,
);
