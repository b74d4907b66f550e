// Renderer, settings: the front door.
import { en } from '../../text/en.ts';
import { laterPage } from '../../ui/later.tsx';

export { useSettingsBadge } from './use-badge.ts';
export const SettingsPage = laterPage(
  en.pages.settings,
  async () => (await import('./settings-page.tsx')).SettingsPage,
);
